import type { FormDraftOptions } from '#web/drafts/form-draft.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { LevelNameMappings } from '#features/people/levels/web/level-names.ts';
import type { MelodySource } from './read-melody-source.ts';

export type MelodyImportRowOutcome =
  /** `pictureRefusal` is the reason if the melody was added without its picture. */
  { kind: 'added'; melodyId: number; pictureRefusal?: string | undefined } | { kind: 'failed'; text: string };

/** Melody being imported. Its files are in the {@link MelodySource} with the same key. */
export type MelodyImportRow = {
  /** Key of the melody's source. */
  key: string;
  title: string;
  /** Level name in the table; '' if there is none. */
  levelName: string;
  /** Level chosen for only this row; null if there is none. */
  levelId: number | null;
  /** Null until the teacher ticks or unticks the row. Until then, only duplicates are left out. */
  isLeftOut: boolean | null;
  /** Idempotency key of the melody. `soundId` and `pictureId` identify its uploads. */
  clientId: string;
  soundId: string;
  pictureId: string;
  /**
   * Whether the melody has been sent. It may already be in the library, but sending it again does not add it
   * twice.
   */
  isTried: boolean;
  outcome: MelodyImportRowOutcome | null;
};

/**
 * Import in progress. Stored on the device without its files, which the teacher must choose again after closing
 * the page.
 */
export type MelodyImportDraft = {
  id: string;
  /** Level for rows without a level name in the table; null until chosen. */
  levelId: number | null;
  /** Levels chosen for unknown level names in the table. */
  levelMeanings: LevelNameMappings;
  rows: readonly MelodyImportRow[];
  isAdding: boolean;
};

/**
 * Returns the import with one row for each source. Existing rows keep their choices and outcomes, even if their
 * source is missing now.
 */
export function mergeSourcesIntoDraft(
  before: MelodyImportDraft | null,
  sources: readonly MelodySource[],
): MelodyImportDraft {
  const known = new Map(before?.rows.map((row) => [row.key, row]));
  const found = sources.map(({ key, title, level }) => known.get(key) ?? createRow(key, title, level));
  const keys = new Set(sources.map(({ key }) => key));
  const others = before?.rows.filter(({ key }) => !keys.has(key)) ?? [];
  return {
    ...{ id: createUuid(), levelId: null, levelMeanings: {}, isAdding: false },
    ...before,
    rows: before
      ? [
          ...before.rows.filter(({ key }) => keys.has(key)),
          ...found.filter(({ key }) => !known.has(key)),
          ...others,
        ]
      : found,
  };
}

const createRow = (key: string, title: string, levelName: string): MelodyImportRow => ({
  ...{
    key,
    title,
    levelName: levelName.trim(),
    levelId: null,
    isLeftOut: null,
    isTried: false,
    outcome: null,
  },
  ...{ clientId: createUuid(), soundId: createUuid(), pictureId: createUuid() },
});

export const melodyImportDraftOptions: FormDraftOptions<MelodyImportDraft | null> = {
  name: 'import of melodies',
  restore(kept) {
    const before = kept as Omit<MelodyImportDraft, 'levelMeanings'> | null;
    return before && { levelMeanings: {}, ...before };
  },
  toStored: (current) => current,
};
