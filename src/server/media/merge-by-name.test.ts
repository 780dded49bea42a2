import { expect, test } from 'vitest';
import { mergeByName } from './merge-by-name.ts';

async function* named(...names: string[]) {
  for (const name of names) yield { name };
}
const pairs = async (files: string[], rows: string[]) =>
  (await Array.fromAsync(mergeByName(named(...files), named(...rows)))).map(({ file, row }) => [
    file?.name,
    row?.name,
  ]);

test.each<[string[], string[], (string | undefined)[][]]>([
  [[], [], []],
  [['a'], [], [['a', undefined]]],
  [[], ['a'], [[undefined, 'a']]],
  [
    ['a', 'c', 'd', 'f'],
    ['b', 'c', 'e', 'f', 'g'],
    [
      ['a', undefined],
      [undefined, 'b'],
      ['c', 'c'],
      ['d', undefined],
      [undefined, 'e'],
      ['f', 'f'],
      [undefined, 'g'],
    ],
  ],
])('merges the files %j and the rows %j by name', async (files, rows, met) => {
  expect(await pairs(files, rows)).toEqual(met);
});

test.each([
  [
    ['b', 'a'],
    ['a', 'b'],
  ],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [['a', 'a'], ['a']],
])('rejects listings that are unsorted or repeat a name: files %j, rows %j', async (files, rows) => {
  await expect(pairs(files, rows)).rejects.toThrow('order of names');
});

test('reads the files and the rows alternately, never more than one item ahead', async () => {
  const read = { files: 0, rows: 0 };
  async function* many(which: keyof typeof read) {
    for (let i = 0; i < 300_000; i += 1) {
      read[which] += 1;
      yield { name: String(i).padStart(6, '0') };
    }
  }
  let met = 0;
  for await (const { file, row } of mergeByName(many('files'), many('rows'))) {
    met += 1;
    if (file?.name !== row?.name || Math.max(read.files, read.rows) > met + 1) throw new Error(`${met}`);
  }
  expect([met, read]).toEqual([300_000, { files: 300_000, rows: 300_000 }]);
});

test('closes the listings of files and rows if the caller stops in the middle', async () => {
  const ended: string[] = [];
  async function* endless(which: string) {
    try {
      for (let i = 0; ; i += 1) yield { name: String(i).padStart(6, '0') };
    } finally {
      ended.push(which);
    }
  }
  for await (const _ of mergeByName(endless('files'), endless('rows'))) break;
  expect(ended.sort()).toEqual(['files', 'rows']);
});
