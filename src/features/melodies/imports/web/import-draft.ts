import type { DraftOptions } from '#web/drafts/draft.ts';
import { newId } from '#web/uploads/new-id.ts';
import type { LevelMeanings } from '#features/people/levels/web/level-names.ts';
import type { Source } from './read-source.ts';

export type Outcome =
  /** With the server's reason, if it refused the picture. */
  { kind: 'added'; melodyId: number; pictureRefusal?: string | undefined } | { kind: 'failed'; text: string };

/** A melody on its way into the library; its files are in its {@link Source}. */
export type ImportRow = {
  /** Of its source. */
  key: string;
  title: string;
  /** As the table names it; '' for none. */
  levelName: string;
  /** Chosen for it alone. */
  levelId: number | null;
  /** Null as long as nobody has chosen: then what is doubled is left out. */
  isLeftOut: boolean | null;
  /** By which the server knows the melody, and its files, when they are sent again. */
  clientId: string;
  soundId: string;
  pictureId: string;
  /** It was sent, and may have arrived: sent again, it is added once. */
  isTried: boolean;
  outcome: Outcome | null;
};

/** What is being imported. It stays on the device; the files are chosen again after the page was closed. */
export type Import = {
  id: string;
  /** Of the rows for which the table names none; null until it is chosen. */
  levelId: number | null;
  /** Meanings of the table's names that no level has. */
  levelMeanings: LevelMeanings;
  rows: readonly ImportRow[];
  isAdding: boolean;
};

/** The rows of these sources; one that was there keeps what was chosen for it, and what became of it. */
export function withSources(before: Import | null, sources: readonly Source[]): Import {
  const known = new Map(before?.rows.map((row) => [row.key, row]));
  const found = sources.map(({ key, title, level }) => known.get(key) ?? newRow(key, title, level));
  const keys = new Set(sources.map(({ key }) => key));
  const others = before?.rows.filter(({ key }) => !keys.has(key)) ?? [];
  return {
    ...{ id: newId(), levelId: null, levelMeanings: {}, isAdding: false },
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

const newRow = (key: string, title: string, levelName: string): ImportRow => ({
  ...{
    key,
    title,
    levelName: levelName.trim(),
    levelId: null,
    isLeftOut: null,
    isTried: false,
    outcome: null,
  },
  ...{ clientId: newId(), soundId: newId(), pictureId: newId() },
});

export const importDraft: DraftOptions<Import | null> = {
  of: 'import of melodies',
  begin(kept) {
    const before = kept as Omit<Import, 'levelMeanings'> | null;
    return before && { levelMeanings: {}, ...before };
  },
  keep: (current) => current,
};
