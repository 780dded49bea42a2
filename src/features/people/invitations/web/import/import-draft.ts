import type { FormDraftOptions } from '#web/drafts/form-draft.ts';
import { loadDraft } from '#web/drafts/draft-storage.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { ChosenLevels } from '#features/people/levels/web/chosen-levels.ts';
import type { LevelNameMappings } from '#features/people/levels/web/level-names.ts';
import type { ImportedPerson } from './extract-people.ts';

/** Result of sending a row. */
export type PeopleImportRowOutcome = { kind: 'invited' | 'granted' | 'failed'; text: string };

export type PeopleImportRow = ImportedPerson & {
  /** Idempotency key, by which the server recognises a row that is sent again. */
  clientId: string;
  /**
   * Levels chosen for this person. If null, the levels named in the row apply, or if it names none, those
   * chosen for everybody.
   */
  levels: ChosenLevels;
  isLeftOut: boolean;
  outcome: PeopleImportRowOutcome | null;
};

/**
 * A list that is being imported. It is stored on the device, so that the import can continue after the tab
 * has been closed.
 */
export type PeopleImport = {
  /** The file's name; null for pasted rows. */
  name: string | null;
  /** Id that all requests of this import share. */
  batch: string;
  levels: ChosenLevels;
  /** Meanings that the teacher chose for unknown level names. */
  levelMeanings: LevelNameMappings;
  rows: readonly PeopleImportRow[];
  isSending: boolean;
  /**
   * True once all rows to send have been sent without a failure. The list stays stored to show its results.
   */
  isFinished?: boolean;
};

export const createPeopleImport = (
  name: string | null,
  people: readonly ImportedPerson[],
  levels: ChosenLevels,
): PeopleImport => ({
  name,
  batch: createUuid(),
  levels,
  levelMeanings: {},
  rows: people.map((person) => ({
    ...person,
    clientId: createUuid(),
    levels: null,
    isLeftOut: false,
    outcome: null,
  })),
  isSending: false,
});

export const peopleImportDraftOptions: FormDraftOptions<PeopleImport | null> = {
  name: 'import of people',
  restore(kept) {
    const before = kept as Omit<PeopleImport, 'levelMeanings'> | null;
    return before && { levelMeanings: {}, ...before };
  },
  toStored: (current) => current,
};

export function hasUnfinishedPeopleImport(userId: string): boolean {
  const storedImport = loadDraft(userId, peopleImportDraftOptions.name) as PeopleImport | null;
  return storedImport !== null && !storedImport.isFinished;
}
