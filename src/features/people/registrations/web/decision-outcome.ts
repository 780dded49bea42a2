import { CallError, getErrorMessage } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Registration } from '../contract.ts';

/** Result of approving or deleting a request for access, still shown on the page after the toast is gone. */
export type DecisionOutcome = {
  requestId: number;
  fullName: string;
  isFailure: boolean;
  title: string;
  text: string;
};

const REQUESTS_PATH = '/api/admin/registration-requests';

/** Endpoints whose responses change if a request for access is approved or deleted. */
export const PATHS_CHANGED_BY_DECISION = [
  REQUESTS_PATH,
  '/api/admin/users',
  '/api/admin/mail',
  '/api/admin/audit-log',
] as const;

/**
 * Shows a toast about a decision that succeeded.
 * @returns the outcome to show on the page
 * @param note sentence to append to `words`
 */
export function reportDecisionSuccess(
  { id, fullName }: Registration,
  title: string,
  words: string,
  note: string | null = null,
): DecisionOutcome {
  const text = note === null ? words : `${words}. ${note}`;
  toast({ title, description: text });
  return { requestId: id, fullName, isFailure: false, title, text };
}

export function reportDecisionFailure(
  { id, fullName }: Registration,
  title: string,
  error: unknown,
): DecisionOutcome {
  const text = getErrorMessage(error, 'Please try again.');
  toast({ title, description: text, variant: 'destructive' });
  // Refetches the list, because somebody else, or another window, has already decided.
  if (error instanceof CallError && (error.status === 404 || error.status === 409))
    refreshQueries([REQUESTS_PATH]);
  return { requestId: id, fullName, isFailure: true, title, text };
}
