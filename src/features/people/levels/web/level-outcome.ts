import { CallError, sentenceOf } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';

/** Result of changing a level, still shown in the section after the toast is gone. */
export type LevelOutcome = { isFailure: boolean; title: string; text: string };

const LIST = '/api/admin/transmission-levels';

/** Endpoints whose answers contain a level's name. */
export const refreshedByLevels = [
  LIST,
  '/api/user/transmission-levels',
  '/api/melodies',
  '/api/admin/audit-log',
] as const;

export function succeeded(title: string, name: string): LevelOutcome {
  toast({ title, description: name });
  return { isFailure: false, title, text: name };
}

export function failed(title: string, error: unknown): LevelOutcome {
  const text = sentenceOf(error, 'Please try again.');
  toast({ title, description: text, variant: 'destructive' });
  // The screen is stale: another window has changed or used the level.
  if (error instanceof CallError && (error.status === 404 || error.status === 409)) refresh([LIST]);
  return { isFailure: true, title, text };
}
