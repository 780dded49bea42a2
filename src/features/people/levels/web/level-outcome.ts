import { CallError, getErrorMessage } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';

/** Result of changing a level, still shown in the section after the toast is gone. */
export type LevelOutcome = { isFailure: boolean; title: string; text: string };

const LEVELS_PATH = '/api/admin/transmission-levels';

/** Endpoints whose responses contain a level's name. */
export const PATHS_WITH_LEVEL_NAMES = [
  LEVELS_PATH,
  '/api/user/transmission-levels',
  '/api/melodies',
  '/api/admin/audit-log',
] as const;

export function reportLevelSuccess(title: string, name: string): LevelOutcome {
  toast({ title, description: name });
  return { isFailure: false, title, text: name };
}

export function reportLevelFailure(title: string, error: unknown): LevelOutcome {
  const text = getErrorMessage(error, 'Please try again.');
  toast({ title, description: text, variant: 'destructive' });
  // Refetches the levels, because somebody else, or another window, has changed or used a level.
  if (error instanceof CallError && (error.status === 404 || error.status === 409))
    refreshQueries([LEVELS_PATH]);
  return { isFailure: true, title, text };
}
