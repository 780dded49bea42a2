import type { Db } from '#server/db/database.ts';
import { spendKeys } from '#server/db/spent-keys.ts';
import { conflict, notFound } from '#shared/errors.ts';
import { folded } from '#shared/search-words.ts';
import type { Media } from '#server/media/keep.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import * as store from './store.ts';

export type MelodyImportsService = ReturnType<typeof melodyImportsService>;

/** Melodies that came together, and can go together. */
export function melodyImportsService(deps: { db: Db; media: Media; levels: LevelsService }) {
  const { db, media, levels } = deps;
  return {
    /** Those that can be undone, newest first. */
    list: () => store.listImports(db),

    /** Which of these the library has already, so that nothing is added twice. */
    async known({ sounds, titles }: { sounds: string[]; titles: string[] }) {
      const found = await store.listTitles(db, titles.map(folded));
      return {
        sounds: await store.listSounds(db, sounds),
        titles: titles.filter((title) => found.has(folded(title))),
      };
    },

    /**
     * Deletes all melodies of an import, and then their files.
     * @throws AppError 'not-found' once something of it was changed, 'conflict' once a student has sung one of them
     */
    async undo(importId: string) {
      const forgotten = await db.transaction(async (tx) => {
        const rows = await store.lockImport(tx, importId);
        if (rows.length === 0)
          throw notFound('Something of this import was changed, so it can’t be undone as a whole.');
        const ids = rows.map(({ id }) => id);
        if ((await store.countRecordings(tx, ids)) > 0)
          throw conflict('A student has sent a recording of one of these melodies.');
        await store.deleteMelodies(tx, ids);
        for (const { createdBy, clientId } of rows) await spendKeys(tx, createdBy, [clientId]);
        const levelIds = new Set(rows.map(({ transmissionLevelId }) => transmissionLevelId));
        await levels.tellOfMelodies(tx, [...levelIds]);
        return media.forget(
          tx,
          rows.flatMap(({ audioUrl, thumbnailUrl }) => [audioUrl, thumbnailUrl]),
        );
      });
      await media.removeFiles(forgotten);
    },
  };
}
