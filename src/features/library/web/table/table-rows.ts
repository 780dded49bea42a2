import type { Level } from '#features/people/levels/contract.ts';
import type { ListedMelody, MelodyUsage } from '#features/melodies/contract.ts';

/** A melody in the teacher's table. Values that have not been loaded yet are null. */
export type LibraryTableRow = { melody: ListedMelody; isTimed: boolean | null; recordings: number | null };

/** The parts that a melody may have or lack. */
export const MELODY_PARTS = ['audio', 'text', 'timing', 'picture'] as const;
export type MelodyPart = (typeof MELODY_PARTS)[number];

/** Names of the parts, as written within a sentence. */
export const MELODY_PART_NAMES: Record<MelodyPart, string> = {
  audio: 'audio',
  text: 'words',
  timing: 'timing',
  picture: 'picture',
};

export const SORT_COLUMNS = ['title', 'level', 'length', ...MELODY_PARTS, 'recordings'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type TableSort = { by: SortColumn; isDescending: boolean };

export function buildTableRows(
  melodies: readonly ListedMelody[],
  use: readonly MelodyUsage[] | undefined,
): LibraryTableRow[] {
  const known = new Map(use?.map((each) => [each.id, each]));
  return melodies.map((melody) => {
    const { isTimed = null, recordingCount = null } = known.get(melody.id) ?? {};
    return { melody, isTimed, recordings: recordingCount };
  });
}

/** Returns whether a melody has a part, or null if that is not known yet. */
export function hasMelodyPart({ melody, isTimed }: LibraryTableRow, part: MelodyPart): boolean | null {
  switch (part) {
    case 'audio':
      return melody.audioUrl !== null;
    case 'text':
      return melody.textBytes > 0;
    case 'timing':
      return isTimed;
    case 'picture':
      return melody.thumbnailUrl !== null;
  }
}

/** Returns the rows that are known to lack all of these parts. */
export const filterByMissingParts = (rows: readonly LibraryTableRow[], without: readonly MelodyPart[]) =>
  without.length === 0
    ? rows
    : rows.filter((row) => without.every((part) => hasMelodyPart(row, part) === false));

const titles = new Intl.Collator('en', { numeric: true });

/**
 * Sorts rows, which must be given newest first. The sort is stable. If `sort` is null, the order stays the
 * same.
 */
export function sortTableRows(
  rows: readonly LibraryTableRow[],
  sort: TableSort | null,
  levels: readonly Level[],
) {
  if (!sort) return rows;
  const places = new Map(levels.map(({ id }, place) => [id, place]));
  const numberOf = (row: LibraryTableRow): number => {
    switch (sort.by) {
      case 'title':
        return 0;
      case 'level':
        return places.get(row.melody.transmissionLevelId) ?? levels.length;
      case 'length':
        return row.melody.duration ?? 0;
      case 'recordings':
        return row.recordings ?? 0;
      case 'audio':
      case 'text':
      case 'timing':
      case 'picture':
        return Number(hasMelodyPart(row, sort.by) ?? false);
    }
  };
  const compare =
    sort.by === 'title'
      ? (one: LibraryTableRow, other: LibraryTableRow) => titles.compare(one.melody.title, other.melody.title)
      : (one: LibraryTableRow, other: LibraryTableRow) => numberOf(one) - numberOf(other);
  const direction = sort.isDescending ? -1 : 1;
  return [...rows].sort((one, other) => direction * compare(one, other));
}

/** Returns the sort order after a press on a column's heading: ascending, then descending, then none. */
export const getNextTableSort = (sort: TableSort | null, by: SortColumn): TableSort | null =>
  sort?.by !== by ? { by, isDescending: false } : sort.isDescending ? null : { by, isDescending: true };

/**
 * Parses a sort order from the URL: 'title' is ascending, '-title' descending. Returns null for anything else.
 */
export function parseTableSort(text: string | null): TableSort | null {
  const by = SORT_COLUMNS.find((each) => each === text?.replace(/^-/, ''));
  return by ? { by, isDescending: text!.startsWith('-') } : null;
}

export const formatTableSort = (sort: TableSort | null) =>
  sort ? `${sort.isDescending ? '-' : ''}${sort.by}` : '';

/** Describes what is deleted together with these melodies, and what stays. */
export function describeMelodyDeletion(rows: readonly LibraryTableRow[]): string {
  const count = (part: MelodyPart) => rows.filter((row) => hasMelodyPart(row, part)).length;
  const [texts, sounds, pictures] = [count('text'), count('audio'), count('picture')];
  const things = [
    texts > 0 && formatCount(texts, 'text', 'texts'),
    sounds > 0 && formatCount(sounds, 'audio file', 'audio files'),
    pictures > 0 && formatCount(pictures, 'picture', 'pictures'),
  ].filter((each) => each !== false);
  const recordings = rows.reduce((sum, each) => sum + (each.recordings ?? 0), 0);
  return [
    things.length > 0
      ? `This also deletes ${LIST_FORMAT.format(things)}, which can’t be recovered.`
      : `${rows.length === 1 ? 'It' : 'They'} can’t be recovered.`,
    recordings === 1 && '1 student recording stays and keeps its title.',
    recordings > 1 && `${recordings.toLocaleString('en')} student recordings stay and keep their titles.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const LIST_FORMAT = new Intl.ListFormat('en-GB');

const formatCount = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
