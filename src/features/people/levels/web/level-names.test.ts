import { expect, test } from 'vitest';
import { resolveLevelNames, listUnknownLevelNames } from './level-names.ts';

const LEVELS = ['Open to All', 'Lung (Reading Transmission)', 'Wang (A)', 'Wang (B)', 'Refuge'].map(
  (name, at) => ({ id: at + 1, name, description: null, neverKept: false }),
);

test('finds a level by its whole name or by the part of the name outside brackets', () => {
  const names = ['open to all', 'LUNG', 'Lung (Reading Transmission)', 'Wang (B)'];
  expect(resolveLevelNames(names, LEVELS, {})).toEqual({ ids: [1, 2, 4], unknown: [] });
});

test.each(['Wang', 'Tri', 'Refuge (later)', 'Wang (Empowermnt)', 'constructor', '?'])(
  'does not guess a level for the name %j',
  (name) => expect(resolveLevelNames([name], LEVELS, {})).toEqual({ ids: [], unknown: [name] }),
);

test('a meaning chosen for a name applies to every row, regardless of case and spaces', () => {
  const [zuflucht] = listUnknownLevelNames(['Zuflucht', 'Refuge', 'ZUFLUCHT ', 'Tri'], LEVELS);
  expect(zuflucht).toMatchObject({ name: 'Zuflucht', count: 2 });
  const meanings = { [zuflucht!.key]: 5 };
  expect(resolveLevelNames(['zuflucht', 'Lung'], LEVELS, meanings)).toEqual({ ids: [5, 2], unknown: [] });
});

test('a level name in a table can mean the levels chosen for everybody', () => {
  const [tri] = listUnknownLevelNames(['Tri'], LEVELS);
  const meanings = { [tri!.key]: 'everybody' } as const;
  expect(resolveLevelNames(['Tri', 'Refuge'], LEVELS, meanings, [1, 3])).toEqual({
    ids: [1, 3, 5],
    unknown: [],
  });
});

test('a level name is unknown again if the level chosen for it was deleted', () => {
  const [tri] = listUnknownLevelNames(['Tri'], LEVELS);
  expect(resolveLevelNames(['Tri'], LEVELS, { [tri!.key]: 99 })).toEqual({ ids: [], unknown: ['Tri'] });
});
