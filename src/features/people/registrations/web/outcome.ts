import { CallError, sentenceOf } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Registration } from '../contract.ts';

/** Result of a decision, still shown on the page after the toast is gone. */
export type Outcome = { requestId: number; of: string; isFailure: boolean; title: string; text: string };

const LIST = '/api/admin/registration-requests';

/** Endpoints whose answers change with a decision. */
export const refreshedByDecision = [
  LIST,
  '/api/admin/users',
  '/api/admin/mail',
  '/api/admin/audit-log',
] as const;

/** @param note sentence added to the specified words */
export function succeeded(
  { id, fullName }: Registration,
  title: string,
  words: string,
  note: string | null = null,
): Outcome {
  const text = note === null ? words : `${words}. ${note}`;
  toast({ title, description: text });
  return { requestId: id, of: fullName, isFailure: false, title, text };
}

export function failed({ id, fullName }: Registration, title: string, error: unknown): Outcome {
  const text = sentenceOf(error, 'Please try again.');
  toast({ title, description: text, variant: 'destructive' });
  // Somebody else, or another window, has already decided.
  if (error instanceof CallError && (error.status === 404 || error.status === 409)) refresh([LIST]);
  return { requestId: id, of: fullName, isFailure: true, title, text };
}
