import { saveDraft, loadDraft } from '../../../platform/web/draft-storage.ts';
import type { ManagedLevel } from '../contract.ts';

/** What is typed into the form, as it is typed. */
export type TypedLevel = { name: string; description: string };

/** What the form begins with; null stands for a level to add. */
export const typedOf = (level: ManagedLevel | null): TypedLevel => ({
  name: level?.name ?? '',
  description: level?.description ?? '',
});

export const isChanged = (typed: TypedLevel, level: ManagedLevel | null) =>
  Object.keys(changedIn(typed, level)).length > 0;

/** The level as it is, with what was typed before and never saved, on this device. */
export function keptLevel(userId: string, level: ManagedLevel | null): TypedLevel {
  try {
    const kept = JSON.parse(loadDraft(userId, draftOf(level)) || '{}') as Partial<TypedLevel>;
    return { ...typedOf(level), ...kept };
  } catch {
    return typedOf(level);
  }
}

/** Only what was changed, so that what somebody else changes meanwhile stays. */
export function keepLevel(userId: string, level: ManagedLevel | null, typed: TypedLevel) {
  saveDraft(userId, draftOf(level), isChanged(typed, level) ? JSON.stringify(changedIn(typed, level)) : '');
}

function changedIn(typed: TypedLevel, level: ManagedLevel | null): Partial<TypedLevel> {
  const { name, description } = typedOf(level);
  return {
    ...(typed.name === name ? {} : { name: typed.name }),
    ...(typed.description === description ? {} : { description: typed.description }),
  };
}

const draftOf = (level: ManagedLevel | null) => (level === null ? 'new level' : `level ${level.id}`);
