import { AppError } from '#shared/errors.ts';
import type { Log } from './log.ts';

export type BulkItemOutcome = { ok: boolean; message?: string | undefined };

/**
 * Runs one item of a bulk request and returns its outcome. Logs unexpected errors. Each item is committed
 * separately, so the caller needs to know which items failed.
 */
export async function runBulkItem(run: () => Promise<unknown>, log: Log): Promise<BulkItemOutcome> {
  try {
    await run();
    return { ok: true };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    log.error({ error }, 'one of several failed unexpectedly');
    return { ok: false, message: 'Something went wrong on our side. Please try this one again.' };
  }
}

export function countBulkOutcomes(outcomes: readonly BulkItemOutcome[]) {
  const successCount = outcomes.filter(({ ok }) => ok).length;
  return { successCount, failureCount: outcomes.length - successCount };
}
