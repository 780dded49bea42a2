import type { DraftOptions } from '#web/drafts/draft.ts';
import { newId } from '#web/uploads/new-id.ts';
import type { ChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import type { LevelMeanings } from '#features/people/levels/web/level-names.ts';
import type { Person } from './people.ts';

/** What became of a row that was sent. */
export type Outcome = { kind: 'invited' | 'granted' | 'failed'; text: string };

export type ImportRow = Person & {
  /** By which the server knows a row that is sent again. */
  clientId: string;
  /** Null for those of all. */
  levels: ChosenLevels;
  isLeftOut: boolean;
  outcome: Outcome | null;
};

/** A table on its way to be invited. It stays on the device, so that a closed tab goes on where it was. */
export type Import = {
  /** Of the file; null for what was pasted. */
  name: string | null;
  /** What its requests have in common. */
  batch: string;
  levels: ChosenLevels;
  /** Meanings of the table's names that no level has. */
  levelMeanings: LevelMeanings;
  rows: readonly ImportRow[];
  isSending: boolean;
};

export const newImport = (name: string | null, people: readonly Person[], levels: ChosenLevels): Import => ({
  name,
  batch: newId(),
  levels,
  levelMeanings: {},
  rows: people.map((person) => ({
    ...person,
    clientId: newId(),
    levels: null,
    isLeftOut: false,
    outcome: null,
  })),
  isSending: false,
});

export const importDraft: DraftOptions<Import | null> = {
  of: 'import of people',
  begin(kept) {
    const before = kept as Omit<Import, 'levelMeanings'> | null;
    return before && { levelMeanings: {}, ...before };
  },
  keep: (current) => current,
};
