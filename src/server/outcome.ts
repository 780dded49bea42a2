import { AppError } from '#shared/errors.ts';
import type { Log } from './log.ts';

export type Outcome = { ok: boolean; message?: string | undefined };

/**
 * Returns the result of one item of a bulk request. Each item is processed and committed separately, so the caller
 * must learn which ones failed.
 */
export async function runForOutcome(run: () => Promise<unknown>, log: Log): Promise<Outcome> {
  try {
    await run();
    return { ok: true };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    log.error({ error }, 'one of several failed unexpectedly');
    return { ok: false, message: 'Something went wrong on our side. Please try this one again.' };
  }
}

export function countOutcomes(outcomes: readonly Outcome[]) {
  const successCount = outcomes.filter(({ ok }) => ok).length;
  return { successCount, failureCount: outcomes.length - successCount };
}
