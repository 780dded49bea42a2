import type { DraftOptions } from '#web/drafts/draft.ts';
import type { ManagedLevel } from '../contract.ts';

/** What is typed into the form, as it is typed. */
export type TypedLevel = { name: string; description: string; neverKept: boolean };

/** What the form begins with; null stands for a level to add. */
export const typedOf = (level: ManagedLevel | null): TypedLevel => ({
  name: level?.name ?? '',
  description: level?.description ?? '',
  neverKept: level?.neverKept ?? false,
});

export const isChanged = (typed: TypedLevel, level: ManagedLevel | null) =>
  Object.keys(changedIn(typed, level)).length > 0;

/** The level as it is, with what was typed before and never saved. */
export const levelDraft = (level: ManagedLevel | null): DraftOptions<TypedLevel> => ({
  of: level === null ? 'new level' : `level ${level.id}`,
  begin: (kept) => ({ ...typedOf(level), ...(kept as Partial<TypedLevel> | null) }),
  // Only what was changed, so that what somebody else changes meanwhile stays.
  keep: (typed) => (isChanged(typed, level) ? changedIn(typed, level) : null),
});

function changedIn(typed: TypedLevel, level: ManagedLevel | null): Partial<TypedLevel> {
  const { name, description, neverKept } = typedOf(level);
  return {
    ...(typed.name === name ? {} : { name: typed.name }),
    ...(typed.description === description ? {} : { description: typed.description }),
    ...(typed.neverKept === neverKept ? {} : { neverKept: typed.neverKept }),
  };
}
