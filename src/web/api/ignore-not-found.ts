import { CallError } from './call.ts';

/**
 * Awaits a deletion and treats 404 as success, because a second press, or a retry after a lost response, must
 * not report a failure.
 */
export async function ignoreNotFound(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting;
  } catch (error) {
    if (!(error instanceof CallError && error.status === 404)) throw error;
  }
}
