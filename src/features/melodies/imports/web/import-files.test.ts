import { expect, test } from 'vitest';
import { getTitleFromPath } from '#features/melodies/web/file-name.ts';
import { type FolderFile, groupFilesByMelody, getImportFileKind } from './import-files.ts';
import { matchRowsToSounds, parseImportTable, type ImportTableRow } from './import-table.ts';

const files = (...paths: string[]): FolderFile[] => paths.map((path) => ({ path, file: new File([], path) }));
const grouped = (...paths: string[]) => {
  const { groups, unmatchedFiles } = groupFilesByMelody(files(...paths));
  const name = (file: FolderFile | null) => file?.path ?? null;
  return {
    groups: groups.map(({ sound, picture, words, times }) => [sound, picture, words, times].map(name)),
    left: unmatchedFiles.map(name),
  };
};

test('groups files by name, ignoring case, separators and folders', () => {
  expect(grouped('a/Refuge.mp3', 'a/refuge.JPG', 'a/Refuge.txt', 'a/REFUGE.lrc').groups).toEqual([
    ['a/Refuge.mp3', 'a/refuge.JPG', 'a/Refuge.txt', 'a/REFUGE.lrc'],
  ]);
  expect(grouped('sounds/Green_Tara.m4a', 'texts/green tara.txt', 'pictures/Green-Tara.png').groups).toEqual([
    ['sounds/Green_Tara.m4a', 'pictures/Green-Tara.png', 'texts/green tara.txt', null],
  ]);
  expect(grouped('03 - Mani.mp3', 'Mani.txt', '07 Mani.lrc').groups).toEqual([
    ['03 - Mani.mp3', null, 'Mani.txt', '07 Mani.lrc'],
  ]);
});

test('leaves files unmatched if they match several melodies', () => {
  const { groups, left } = grouped('1 Mani.mp3', '2 Mani.mp3', 'Mani.txt', '2 Mani.txt', '1/Mani.lrc');
  expect(groups).toEqual([
    ['1 Mani.mp3', null, null, null],
    ['2 Mani.mp3', null, '2 Mani.txt', null],
  ]);
  expect(left).toEqual(['Mani.txt', '1/Mani.lrc']);
  expect(grouped('day/Mani.mp3', 'night/Mani.mp3', 'night/Mani.txt', 'day/Mani.txt').groups).toEqual([
    ['day/Mani.mp3', null, 'day/Mani.txt', null],
    ['night/Mani.mp3', null, 'night/Mani.txt', null],
  ]);
});

test('sorts audio files by number, and lists unmatched and unsupported files', () => {
  const { groups, left } = grouped('10 b.mp3', '9 a.wav', 'c.flac', '9 a.heic', 'cover.jpg', 'd.txt');
  expect(groups.map(([sound]) => sound)).toEqual(['9 a.wav', '10 b.mp3']);
  expect(left).toEqual(['c.flac', '9 a.heic', 'cover.jpg', 'd.txt']);
  for (const path of ['.DS_Store', 'x/._Mani.mp3', 'README.txt', 'Thumbs.db', 'song.pdf', 'noending'])
    expect(getImportFileKind(path), path).toBeNull();
});

test.each([
  ['a/03 - Seven_Line Prayer.mp3', 'Seven Line Prayer'],
  ['12. Mani.wav', 'Mani'],
  ['108 Names.m4a', 'Names'],
  ['1000 Buddhas.mp3', '1000 Buddhas'],
  ['21.mp3', '21'],
  ['Dro\u0308lma.mp3', 'Drölma'],
  ['ཨོཾ་མ་ཎི.mp3', 'ཨོཾ་མ་ཎི'],
])('the title of the file %s is %s', (path, title) => expect(getTitleFromPath(path)).toBe(title));

test('recognizes table columns in any order and in several languages', () => {
  const rows = parseImportTable([
    ['Our songs'],
    ['', ''],
    ['Stufe', 'Titel', 'Audio file', 'Liedtext'],
    ['Refuge', 'Zuflucht', 'refuge.mp3', 'Namo'],
    ['', '', '', ''],
    ['', 'Mani', '', ''],
  ])!;
  expect(
    rows.map(({ row, title, level, sound, words, video }) => [row, title, level, sound, words, video]),
  ).toEqual([
    [4, 'Zuflucht', 'Refuge', 'refuge.mp3', 'Namo', ''],
    [6, 'Mani', '', '', '', ''],
  ]);
  expect(
    parseImportTable([
      ['a', 'b'],
      ['1', '2'],
    ]),
  ).toBeNull();
  expect(parseImportTable([])).toBeNull();
});

test('matches a table row by file name, or by title if the row names no file', () => {
  const row = (title: string, sound = ''): ImportTableRow => ({
    ...{ title, sound, level: '', description: '', words: '', video: '', picture: '', row: 0 },
  });
  const rows = [
    row('Mani'),
    row('Zuflucht', 'songs\\REFUGE.mp3'),
    row('Drölma', 'tara'),
    row('Lost', 'gone.mp3'),
  ];
  const sounds = [
    { key: 'x/refuge.mp3', title: 'refuge' },
    { key: 'x/01 mani.mp3', title: 'mani' },
    { key: 'x/Tara.m4a', title: 'Tara' },
    { key: 'x/Lost.mp3', title: 'Lost' },
  ];
  const found = matchRowsToSounds(rows, sounds);
  expect(Object.fromEntries([...found].map(([key, { title }]) => [key, title]))).toEqual({
    'x/refuge.mp3': 'Zuflucht',
    'x/Tara.m4a': 'Drölma',
    'x/01 mani.mp3': 'Mani',
  });
});

test('does not match a table row that fits several audio files', () => {
  const row = (title: string, sound: string): ImportTableRow => ({
    ...{ title, sound, level: 'Open to All', description: '', words: '', video: '', picture: '', row: 0 },
  });
  const sounds = [
    { key: 'open/refuge.mp3', title: 'refuge' },
    { key: 'restricted/refuge.mp3', title: 'refuge' },
  ];
  expect(matchRowsToSounds([row('Refuge', 'refuge.mp3'), row('refuge', '')], sounds)).toEqual(new Map());
  const named = row('Refuge', 'Restricted\\Refuge');
  expect(matchRowsToSounds([named], sounds)).toEqual(new Map([['restricted/refuge.mp3', named]]));
});
