import { formatDisplayName } from '#web/api/session.ts';
import type { ListedMelody } from '#features/melodies/contract.ts';
import type { Recording } from '#features/recordings/contract.ts';

/** Properties by which recordings are grouped and filtered. */
export const FACETS = ['student', 'melody', 'level'] as const;
export type Facet = (typeof FACETS)[number];

export type InboxView = {
  groupedBy: Facet | null;
  /** Selected key for each facet; null selects all keys. */
  selectedKeys: Readonly<Record<Facet, string | null>>;
  includesSnoozed: boolean;
};

export const DEFAULT_INBOX_VIEW: InboxView = {
  groupedBy: null,
  selectedKeys: { student: null, melody: null, level: null },
  includesSnoozed: false,
};

type FacetValue = { key: string; name: string };

/** Returns the student, melody and level of a recording. */
export function getFacets(
  { student, melodyId }: Recording,
  melodies: ReadonlyMap<number, Pick<ListedMelody, 'title' | 'transmissionLevel'>>,
): Record<Facet, FacetValue> {
  const melody = melodyId === null ? undefined : melodies.get(melodyId);
  const level = melody?.transmissionLevel;
  return {
    student: { key: student.username, name: formatDisplayName(student) },
    melody: { key: melody ? String(melodyId) : '', name: melody?.title ?? 'No melody' },
    level: { key: level ? String(level.id) : '', name: level?.name ?? 'No level' },
  };
}

/** Returns whether the view needs all pages of the list. */
export const needsAllPages = ({ groupedBy, selectedKeys }: InboxView) =>
  groupedBy !== null || FACETS.some((facet) => selectedKeys[facet] !== null);

export type FacetedRecording = {
  recording: Recording;
  facets: Record<Facet, FacetValue>;
  isSnoozed: boolean;
};

/** Returns the entries to show, in order: groups sorted by name, with the order within them unchanged. */
export function applyInboxView(
  { groupedBy, selectedKeys, includesSnoozed }: InboxView,
  entries: readonly FacetedRecording[],
): FacetedRecording[] {
  const shown = entries.filter(
    ({ facets, isSnoozed }) =>
      (includesSnoozed || !isSnoozed) &&
      FACETS.every((facet) => selectedKeys[facet] === null || selectedKeys[facet] === facets[facet].key),
  );
  if (groupedBy === null) return shown;
  const names = new Map(shown.map(({ facets }) => [facets[groupedBy].key, facets[groupedBy].name]));
  const inOrder = [...names].sort(([, a], [, b]) => a.localeCompare(b)).map(([key]) => key);
  return inOrder.flatMap((key) => shown.filter(({ facets }) => facets[groupedBy].key === key));
}

/** Returns the options of a filter, sorted by name. */
export function getFilterOptions(facet: Facet, entries: readonly FacetedRecording[]): FacetValue[] {
  const names = new Map(entries.map(({ facets }) => [facets[facet].key, facets[facet]]));
  return [...names.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the names of the selected student, melody and level; 'Filter' if none is selected. */
export function getFilterLabel({ selectedKeys }: InboxView, entries: readonly FacetedRecording[]) {
  const names = FACETS.flatMap(
    (facet) =>
      entries.find(({ facets }) => facets[facet].key === selectedKeys[facet])?.facets[facet].name ?? [],
  );
  return names.length === 0 ? 'Filter' : names.join(', ');
}
