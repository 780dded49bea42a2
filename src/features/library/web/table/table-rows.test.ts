import { describe, expect, test } from 'vitest';
import type { ListedMelody } from '#features/melodies/contract.ts';
import {
  filterByMissingParts,
  getNextTableSort,
  sortTableRows,
  parseTableSort,
  formatTableSort,
  buildTableRows,
  describeMelodyDeletion,
} from './table-rows.ts';

const levels = [
  { id: 4, name: 'Open to All', description: null, neverKept: false },
  { id: 2, name: 'Refuge', description: null, neverKept: false },
];

let ids = 0;
const melody = (title: string, given: Partial<ListedMelody> = {}) =>
  ({
    ...{ id: (ids += 1), title, transmissionLevelId: 4, textBytes: 0 },
    ...{ audioUrl: null, thumbnailUrl: null, duration: null },
    ...given,
  }) as ListedMelody;
const all = [
  melody('Verse 10', { transmissionLevelId: 2, audioUrl: 'a.mp3', duration: 60 }),
  melody('Verse 9', { textBytes: 5, thumbnailUrl: 'p.webp' }),
  melody('Äther', { audioUrl: 'b.mp3', duration: 30, textBytes: 5 }),
];
const rows = buildTableRows(
  all,
  [
    [true, 3],
    [false, 0],
    [false, 1],
  ].map(([isTimed, recordingCount], at) => ({
    ...{ id: all[at]!.id, isTimed: isTimed as boolean },
    recordingCount: recordingCount as number,
  })),
);
const titlesOf = (these: typeof rows | readonly (typeof rows)[number][]) =>
  these.map((row) => row.melody.title);

describe('teacher’s table', () => {
  test.each([
    [null, ['Verse 10', 'Verse 9', 'Äther']],
    ['title', ['Äther', 'Verse 9', 'Verse 10']],
    ['-title', ['Verse 10', 'Verse 9', 'Äther']],
    ['level', ['Verse 9', 'Äther', 'Verse 10']],
    ['-length', ['Verse 10', 'Äther', 'Verse 9']],
    ['picture', ['Verse 10', 'Äther', 'Verse 9']],
    ['-timing', ['Verse 10', 'Verse 9', 'Äther']],
    ['recordings', ['Verse 9', 'Äther', 'Verse 10']],
    ['anything', ['Verse 10', 'Verse 9', 'Äther']],
  ])('sorts rows by the URL parameter %j and keeps equal rows newest first', (by, expected) => {
    expect(titlesOf(sortTableRows(rows, parseTableSort(by), levels))).toEqual(expected);
  });

  test('pressing a heading sorts ascending, then descending, then turns sorting off', () => {
    const steps = [null, 'length', '-length', ''];
    for (const [at, text] of steps.slice(0, -1).entries())
      expect(formatTableSort(getNextTableSort(parseTableSort(text), 'length'))).toBe(steps[at + 1]);
    expect(formatTableSort(getNextTableSort(parseTableSort('-title'), 'length'))).toBe('length');
  });

  test('keeps only rows that are known to lack all selected parts', () => {
    expect(titlesOf(filterByMissingParts(rows, ['audio']))).toEqual(['Verse 9']);
    expect(titlesOf(filterByMissingParts(rows, ['timing', 'picture']))).toEqual(['Äther']);
    expect(filterByMissingParts(buildTableRows(all, undefined), ['timing'])).toEqual([]);
  });

  test('describes the files and texts that are deleted together with melodies', () => {
    expect(describeMelodyDeletion(rows)).toBe(
      'This also deletes 2 texts, 2 audio files and 1 picture, which can’t be recovered. 4 student recordings stay and keep their titles.',
    );
    expect(describeMelodyDeletion(rows.slice(0, 1))).toBe(
      'This also deletes 1 audio file, which can’t be recovered. 3 student recordings stay and keep their titles.',
    );
    expect(describeMelodyDeletion(buildTableRows([melody('Bare')], []))).toBe('It can’t be recovered.');
  });
});
