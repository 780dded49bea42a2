import type { Db } from '#server/db/database.ts';
import { insertClientIdTombstones } from '#server/db/client-id-tombstones.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import { foldText } from '#shared/search-words.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import * as store from './store.ts';

export type MelodyImportsService = ReturnType<typeof createMelodyImportsService>;

/** Creates the service for bulk imports of melodies. */
export function createMelodyImportsService(deps: { db: Db; media: MediaRepository; levels: LevelsService }) {
  const { db, media, levels } = deps;
  return {
    /** Lists the latest imports whose melodies have not been changed or deleted, newest first. */
    list: () => store.listImports(db),

    /** Returns which audio files and titles the library already has, so that the import can skip duplicates. */
    async findKnown({ sounds, titles }: { sounds: string[]; titles: string[] }) {
      const found = await store.findKnownTitles(db, titles.map(foldText));
      return {
        sounds: await store.findKnownSounds(db, sounds),
        titles: titles.filter((title) => found.has(foldText(title))),
      };
    },

    /**
     * Deletes all melodies of an import, then their files.
     * @throws AppError 'not-found' for an unknown import, or if one of its melodies has been changed or
     * deleted; 'conflict' if a student has recorded one
     */
    async undo(importId: string) {
      const forgotten = await db.transaction(async (tx) => {
        const rows = await store.lockMelodiesOfImport(tx, importId);
        if (rows.length === 0)
          throw createNotFoundError(
            'Some of these melodies have been changed, so the import can’t be undone. You can delete melodies one by one.',
          );
        const ids = rows.map(({ id }) => id);
        if ((await store.countRecordingsOfMelodies(tx, ids)) > 0)
          throw createConflictError(
            'A student has recorded one of these melodies, so the import can’t be undone.',
          );
        await store.deleteMelodies(tx, ids);
        for (const { createdBy, clientId } of rows) await insertClientIdTombstones(tx, createdBy, [clientId]);
        const levelIds = new Set(rows.map(({ transmissionLevelId }) => transmissionLevelId));
        await levels.announceMelodies(tx, [...levelIds]);
        return media.deleteRows(
          tx,
          rows.flatMap(({ audioUrl, thumbnailUrl }) => [audioUrl, thumbnailUrl]),
        );
      });
      await media.removeFiles(forgotten);
    },
  };
}
