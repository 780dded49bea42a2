import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { AppError, createBadInputError } from '#shared/errors.ts';
import type { Log } from '#server/log.ts';
import { runBulkItem } from '#server/bulk-item.ts';
import type { BulkMelodyChange, melodiesApi } from '../contract.ts';
import { LEVEL_REQUIRED_MESSAGE } from '../limits.ts';
import type { Viewer } from './store.ts';

type OneMelody = {
  setLevel: (id: number, levelId: number, author: Viewer) => Promise<void>;
  remove: (id: number) => Promise<void>;
};

/**
 * Creates the service for bulk changes, which apply to each melody separately, as if the teacher had changed
 * the melodies one by one.
 */
export function createBulkMelodyService({ setLevel, remove }: OneMelody, log: Log) {
  type Wanted = { levelId: number | undefined; author: Viewer };

  const changes: Record<BulkMelodyChange, (id: number, wanted: Wanted) => Promise<void>> = {
    async level(id, { levelId, author }) {
      if (levelId === undefined) throw createBadInputError(LEVEL_REQUIRED_MESSAGE);
      await setLevel(id, levelId, author);
    },
    async delete(id) {
      try {
        await remove(id);
      } catch (error) {
        // Treats 'not found' as deleted: an earlier attempt may have deleted the melody and lost its
        // response.
        if (!(error instanceof AppError && error.code === 'not-found')) throw error;
      }
    },
  };

  return {
    /**
     * Applies the change to each melody. One failure does not stop the others. Repeating the call has no
     * further effect.
     * @returns one result per melody, in the order of the ids
     */
    async changeMany(
      { melodyIds, change, transmissionLevelId, ...rest }: BodyOf<typeof melodiesApi.changeMany>,
      author: Viewer,
    ) {
      assertExhaustive(rest);
      const wanted = { levelId: transmissionLevelId, author };
      const results = [];
      for (const id of new Set(melodyIds)) {
        results.push({ id, ...(await runBulkItem(() => changes[change](id, wanted), log)) });
      }
      return results;
    },
  };
}
