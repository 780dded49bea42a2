import { displayName } from '#web/api/session.ts';
import type { ListedMelody } from '#features/melodies/contract.ts';
import type { Recording } from '#features/recordings/contract.ts';

/** By what recordings are grouped and filtered. */
export const FACETS = ['student', 'melody', 'level'] as const;
export type Facet = (typeof FACETS)[number];

export type InboxView = {
  groupedBy: Facet | null;
  /** Those alone, of each that is set. */
  only: Readonly<Record<Facet, string | null>>;
  /** Also what is put aside. */
  hasAside: boolean;
};

export const WHOLE_INBOX: InboxView = {
  groupedBy: null,
  only: { student: null, melody: null, level: null },
  hasAside: false,
};

type Named = { key: string; name: string };

/** To which student, melody and level a recording belongs. */
export function facetsOf(
  { student, melodyId }: Recording,
  melodies: ReadonlyMap<number, Pick<ListedMelody, 'title' | 'transmissionLevel'>>,
): Record<Facet, Named> {
  const melody = melodyId === null ? undefined : melodies.get(melodyId);
  const level = melody?.transmissionLevel;
  return {
    student: { key: student.username, name: displayName(student) },
    melody: { key: melody ? String(melodyId) : '', name: melody?.title ?? 'No melody' },
    level: { key: level ? String(level.id) : '', name: level?.name ?? 'No level' },
  };
}

/** Whether the list has to be there as a whole. */
export const needsAll = ({ groupedBy, only }: InboxView) =>
  groupedBy !== null || FACETS.some((facet) => only[facet] !== null);

export type Faceted = { recording: Recording; facets: Record<Facet, Named>; isAside: boolean };

/** What is shown, in its order: groups by their name, and within them as before. */
export function shownIn({ groupedBy, only, hasAside }: InboxView, entries: readonly Faceted[]): Faceted[] {
  const shown = entries.filter(
    ({ facets, isAside }) =>
      (hasAside || !isAside) &&
      FACETS.every((facet) => only[facet] === null || only[facet] === facets[facet].key),
  );
  if (groupedBy === null) return shown;
  const names = new Map(shown.map(({ facets }) => [facets[groupedBy].key, facets[groupedBy].name]));
  const inOrder = [...names].sort(([, a], [, b]) => a.localeCompare(b)).map(([key]) => key);
  return inOrder.flatMap((key) => shown.filter(({ facets }) => facets[groupedBy].key === key));
}

/** What there is to choose from. */
export function choicesOf(facet: Facet, entries: readonly Faceted[]): Named[] {
  const names = new Map(entries.map(({ facets }) => [facets[facet].key, facets[facet]]));
  return [...names.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** 'All students, all melodies', or what is shown alone. */
export function viewName({ only }: InboxView, entries: readonly Faceted[]) {
  const nameOf = (facet: Facet, all: string) =>
    only[facet] === null
      ? all
      : (entries.find(({ facets }) => facets[facet].key === only[facet])?.facets[facet].name ?? all);
  const level = only.level === null ? [] : [nameOf('level', '')];
  return [nameOf('student', 'All students'), nameOf('melody', 'all melodies'), ...level].join(', ');
}
