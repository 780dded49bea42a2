import type { DraftOptions } from '#web/drafts/draft.ts';
import { createId } from '#web/uploads/create-id.ts';
import type { LevelMeanings } from '#features/people/levels/web/level-names.ts';
import type { MelodySource } from './read-source.ts';

export type ImportOutcome =
  /** `pictureRefusal` is the server's reason if it refused the picture. */
  { kind: 'added'; melodyId: number; pictureRefusal?: string | undefined } | { kind: 'failed'; text: string };

/** Melody being imported; its files are in its {@link MelodySource}. */
export type ImportRow = {
  /** Key of its source. */
  key: string;
  title: string;
  /** Level name in the table; '' for none. */
  levelName: string;
  /** Level chosen for this row alone. */
  levelId: number | null;
  /** Null until the teacher decides: duplicates are then left out. */
  isLeftOut: boolean | null;
  /** Idempotency key of the melody; the next two identify its uploads. */
  clientId: string;
  soundId: string;
  pictureId: string;
  /** It was sent and may have arrived; sending it again does not add it twice. */
  isTried: boolean;
  outcome: ImportOutcome | null;
};

/**
 * Import in progress. Stored on the device, except for the files, which are chosen again after the page was closed.
 */
export type MelodyImportDraft = {
  id: string;
  /** Level of the rows that the table names none for; null until chosen. */
  levelId: number | null;
  /** Levels chosen for names in the table that match no level. */
  levelMeanings: LevelMeanings;
  rows: readonly ImportRow[];
  isAdding: boolean;
};

/** Returns the import with one row for each source. Existing rows keep their choices and outcomes. */
export function mergeSources(
  before: MelodyImportDraft | null,
  sources: readonly MelodySource[],
): MelodyImportDraft {
  const known = new Map(before?.rows.map((row) => [row.key, row]));
  const found = sources.map(({ key, title, level }) => known.get(key) ?? createRow(key, title, level));
  const keys = new Set(sources.map(({ key }) => key));
  const others = before?.rows.filter(({ key }) => !keys.has(key)) ?? [];
  return {
    ...{ id: createId(), levelId: null, levelMeanings: {}, isAdding: false },
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

const createRow = (key: string, title: string, levelName: string): ImportRow => ({
  ...{
    key,
    title,
    levelName: levelName.trim(),
    levelId: null,
    isLeftOut: null,
    isTried: false,
    outcome: null,
  },
  ...{ clientId: createId(), soundId: createId(), pictureId: createId() },
});

export const importDraftOptions: DraftOptions<MelodyImportDraft | null> = {
  of: 'import of melodies',
  begin(kept) {
    const before = kept as Omit<MelodyImportDraft, 'levelMeanings'> | null;
    return before && { levelMeanings: {}, ...before };
  },
  keep: (current) => current,
};
