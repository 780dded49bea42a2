import type { Level } from '#features/people/levels/contract.ts';
import type { ListedMelody, MelodyUse } from '#features/melodies/contract.ts';

/** A melody in the teacher's table. Values that the server has not sent yet are null. */
export type TableRow = { melody: ListedMelody; isTimed: boolean | null; recordings: number | null };

/** The parts that a melody may have or lack. */
export const PARTS = ['audio', 'text', 'timing', 'picture'] as const;
export type Part = (typeof PARTS)[number];

export const SORTS = ['title', 'level', 'length', ...PARTS, 'recordings'] as const;
export type Column = (typeof SORTS)[number];
export type Sort = { by: Column; isDown: boolean };

export function tableRows(
  melodies: readonly ListedMelody[],
  use: readonly MelodyUse[] | undefined,
): TableRow[] {
  const known = new Map(use?.map((each) => [each.id, each]));
  return melodies.map((melody) => {
    const { isTimed = null, recordingCount = null } = known.get(melody.id) ?? {};
    return { melody, isTimed, recordings: recordingCount };
  });
}

/** Returns whether a melody has a part, or null if that is not known yet. */
export function hasPart({ melody, isTimed }: TableRow, part: Part): boolean | null {
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

/** Returns the rows that lack all of these parts. */
export const lacking = (rows: readonly TableRow[], without: readonly Part[]) =>
  without.length === 0 ? rows : rows.filter((row) => without.every((part) => hasPart(row, part) === false));

const titles = new Intl.Collator('en', { numeric: true });

/** Sorts rows that are given newest first. The sort is stable, and without `sort` the order stays. */
export function sorted(rows: readonly TableRow[], sort: Sort | null, levels: readonly Level[]) {
  if (!sort) return rows;
  const places = new Map(levels.map(({ id }, place) => [id, place]));
  const numberOf = (row: TableRow): number => {
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
        return Number(hasPart(row, sort.by) ?? false);
    }
  };
  const compare =
    sort.by === 'title'
      ? (one: TableRow, other: TableRow) => titles.compare(one.melody.title, other.melody.title)
      : (one: TableRow, other: TableRow) => numberOf(one) - numberOf(other);
  const direction = sort.isDown ? -1 : 1;
  return [...rows].sort((one, other) => direction * compare(one, other));
}

/** Returns the next sort order of a column's heading: ascending, descending, none. */
export const nextSort = (sort: Sort | null, by: Column): Sort | null =>
  sort?.by !== by ? { by, isDown: false } : sort.isDown ? null : { by, isDown: true };

/** Parses 'title' (ascending) and '-title' (descending) from the address; null for anything else. */
export function sortFrom(text: string | null): Sort | null {
  const by = SORTS.find((each) => each === text?.replace(/^-/, ''));
  return by ? { by, isDown: text!.startsWith('-') } : null;
}

export const sortText = (sort: Sort | null) => (sort ? `${sort.isDown ? '-' : ''}${sort.by}` : '');

/** Describes what is deleted together with these melodies, and what stays. */
export function whatGoes(rows: readonly TableRow[]): string {
  const count = (part: Part) => rows.filter((row) => hasPart(row, part)).length;
  const [texts, sounds, pictures] = [count('text'), count('audio'), count('picture')];
  const things = [
    texts > 0 && counted(texts, 'text', 'texts'),
    sounds > 0 && counted(sounds, 'audio file', 'audio files'),
    pictures > 0 && counted(pictures, 'picture', 'pictures'),
  ].filter((each) => each !== false);
  const recordings = rows.reduce((sum, each) => sum + (each.recordings ?? 0), 0);
  return [
    things.length > 0
      ? `This also deletes ${LIST.format(things)}, which can’t be recovered.`
      : `${rows.length === 1 ? 'It' : 'They'} can’t be recovered.`,
    recordings === 1 && '1 student recording stays and keeps its title.',
    recordings > 1 && `${recordings.toLocaleString('en')} student recordings stay and keep their titles.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const LIST = new Intl.ListFormat('en-GB');

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
