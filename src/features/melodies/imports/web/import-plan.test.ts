import { expect, test } from 'vitest';
import { type MelodyImportDraft, type MelodyImportRow, mergeSourcesIntoDraft } from './import-draft.ts';
import {
  isMelodyImportRowSelected,
  type MelodyImportPlanInput,
  resolveLevelId,
  getMelodyImportRowStatuses,
} from './import-plan.ts';
import type { MelodySource } from './read-melody-source.ts';

const OPEN = { id: 1, name: 'Open to All', description: null, neverKept: false };
const REFUGE = { ...OPEN, id: 2, name: 'Refuge' };
const LEVELS = [OPEN, REFUGE];

const aSource = (key: string, given: Partial<MelodySource> = {}): MelodySource => ({
  ...{ key, title: key, level: '', description: '', video: '', sound: new File(['x'], key), picture: null },
  ...{ soundRefusal: null, words: 'Namo', timings: [], seconds: 1, notes: [] },
  ...given,
});

function getStatuses(
  sources: MelodySource[],
  given: {
    rows?: Partial<MelodyImportRow>[];
    known?: Partial<MelodyImportPlanInput>;
    of?: Partial<MelodyImportDraft>;
  } = {},
) {
  const made = mergeSourcesIntoDraft(null, sources);
  const rows = made.rows.map((row, index) => ({ ...row, ...given.rows?.[index] }));
  const current = { ...made, levelId: OPEN.id, ...given.of, rows };
  const known: MelodyImportPlanInput = {
    ...{ sources: new Map(sources.map((source) => [source.key, source])), hashes: new Map() },
    ...{ sounds: new Map(), titles: new Set<string>() },
    ...given.known,
  };
  return getMelodyImportRowStatuses(current, LEVELS, known).map((outlook, index) => ({
    ...outlook,
    isChosen: isMelodyImportRowSelected(rows[index]!, outlook),
    level: resolveLevelId(rows[index]!, current, LEVELS),
  }));
}

test('a row gets its chosen level, else its level in the table, else the default level', () => {
  const sources = [aSource('a'), aSource('b', { level: 'refuge ' }), aSource('c', { level: 'refuge' })];
  const rows = [{}, {}, { levelId: OPEN.id }];
  expect(getStatuses(sources, { rows }).map(({ level }) => level)).toEqual([OPEN.id, REFUGE.id, OPEN.id]);
  const [none] = getStatuses([aSource('a')], { of: { levelId: null } });
  expect(none).toMatchObject({ kind: 'wrong', text: 'Level missing', isChosen: false });
  const [gone] = getStatuses([aSource('a')], { of: { levelId: 999_999 } });
  expect(gone, 'a level deleted since is missing').toMatchObject({ kind: 'wrong', level: null });
});

test('a row with an unknown level does not get the default level', () => {
  const sources = [aSource('a', { level: 'Wang' }), aSource('b', { level: 'Wang' })];
  const wrong = { kind: 'wrong', text: 'Unknown level “Wang”', isChosen: false, level: null };
  expect(getStatuses(sources)).toEqual([wrong, wrong]);
  const meant = getStatuses(sources, { of: { levelMeanings: { wang: REFUGE.id } } });
  expect(meant.map(({ level, isChosen: is }) => [level, is])).toEqual([
    [REFUGE.id, true],
    [REFUGE.id, true],
  ]);
});

test('duplicates are not selected unless the teacher ticks them', () => {
  const sources = ['a', 'b', 'c', 'd'].map((key) => aSource(key));
  const known = {
    hashes: new Map([
      ['a', '1'],
      ['b', '1'],
      ['c', '2'],
      ['d', '3'],
    ]),
    sounds: new Map([['2', 'Refuge']]),
    titles: new Set(['d']),
  };
  expect(getStatuses(sources, { known }).map(({ text, isChosen: is }) => [text, is])).toEqual([
    ['Complete', true],
    ['Same audio as row 1', false],
    ['Same audio as “Refuge” in the library', false],
    ['Title already in the library', false],
  ]);
  const ticked = getStatuses(sources, { known, rows: [{ isLeftOut: true }, { isLeftOut: false }] });
  expect(ticked.map((each) => each.isChosen)).toEqual([false, true, false, false]);
  const tried = getStatuses(sources, { known, rows: [{}, {}, { isTried: true }] });
  expect(tried[2], 'a melody that may have arrived is sent again').toMatchObject({ isChosen: true });
});

test('a row without audio or words can be added, but an invalid row cannot', () => {
  const sources = [
    aSource('no words', { words: '' }),
    aSource('no sound', { sound: null, words: '' }),
    aSource('note', { notes: ['The line timing doesn’t match the words.'] }),
    aSource('title', { title: '' }),
    aSource('long', { title: 'x'.repeat(201) }),
    aSource('video', { video: 'vimeo 123' }),
    aSource('empty', { soundRefusal: 'This file is empty.' }),
  ];
  expect(getStatuses(sources).map(({ text, isChosen: is }) => [text, is])).toEqual([
    ['Words missing', true],
    ['Audio and words missing', true],
    ['The line timing doesn’t match the words.', true],
    ['Title missing', false],
    ['Title too long', false],
    ['Video URL isn’t valid', false],
    ['This file is empty.', false],
  ]);
});

test('choosing the folder again keeps each row’s changes and outcome', () => {
  const first = mergeSourcesIntoDraft(null, [aSource('a'), aSource('b')]);
  const rows = first.rows.map((row) => ({
    ...row,
    title: 'Changed',
    outcome: { kind: 'added', melodyId: 1 } as const,
  }));
  const again = mergeSourcesIntoDraft({ ...first, isAdding: true, rows }, [aSource('b'), aSource('c')]);
  expect(again).toMatchObject({ id: first.id, isAdding: true });
  expect(again.rows.map(({ key, title }) => [key, title])).toEqual([
    ['b', 'Changed'],
    ['c', 'c'],
    ['a', 'Changed'],
  ]);
  expect(again.rows[0]!.clientId).toBe(first.rows[1]!.clientId);
});
