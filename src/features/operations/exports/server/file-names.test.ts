import { expect, test } from 'vitest';
import { toSafeFileName, createUniqueFileNamer } from './file-names.ts';

test.each([
  ['Refuge, second line', 'Refuge, second line'],
  ['སྐྱབས་འགྲོ།', 'སྐྱབས་འགྲོ།'],
  ['🪷 Lotus 👩‍👩‍👧', '🪷 Lotus 👩‍👩‍👧'],
  ['../../etc/passwd', 'etc passwd'],
  ['..\\..\\Windows\\win.ini', 'Windows win.ini'],
  ['C:\\song', 'C song'],
  ['a<b>c:d"e|f?g*h', 'a b c d e f g h'],
  ['one\u0000two\r\nthree\u2028four', 'one two three four'],
  ['song\u202egpj.exe', 'song gpj.exe'],
  ['.hidden', 'hidden'],
  ['ends with points. . .', 'ends with points'],
  ['...', 'Untitled'],
  ['   ', 'Untitled'],
  ['\u200b', 'Untitled'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['Com1', '_Com1'],
  ['lpt³ .x', '_lpt³ .x'],
  ['Conch', 'Conch'],
  ['half \ud800 a character', 'half \ufffd a character'],
])('turns the title %j into the file name %j', (typed, name) => expect(toSafeFileName(typed)).toBe(name));

test('a long title is cut between letters so that the file name fits all file systems', () => {
  expect(toSafeFileName('x'.repeat(300))).toBe('x'.repeat(80));
  const tibetan = toSafeFileName('སྐྱབས་'.repeat(50));
  expect(Buffer.byteLength(tibetan)).toBeLessThanOrEqual(150);
  expect('སྐྱབས་'.repeat(50).startsWith(tibetan)).toBe(true);
  const family = toSafeFileName('👩‍👩‍👧'.repeat(50));
  expect(family).toBe('👩‍👩‍👧'.repeat(8));
  expect(toSafeFileName(`${'x'.repeat(79)}. Refuge`)).toBe('x'.repeat(79));
  // A single letter whose combining marks exceed the limit is left out, because letters are not split.
  expect(toSafeFileName(`a${'\u0301'.repeat(300)}`)).toBe('Untitled');
});

test('makes file names unique regardless of case and Unicode form', () => {
  const unique = createUniqueFileNamer();
  expect(['Song', 'Song', 'SONG', 'song (2)', 'Lied', 'Song', 'e\u0301', 'é'].map(unique)).toEqual([
    'Song',
    'Song (2)',
    'SONG (3)',
    'song (2) (2)',
    'Lied',
    'Song (4)',
    'e\u0301',
    'é (2)',
  ]);
});

test('file names stay unique when suffixes such as “, audio feedback” are added', () => {
  const unique = createUniqueFileNamer(['', ', audio feedback']);
  expect(['Song', 'Song, audio feedback', 'Song'].map(unique)).toEqual([
    'Song',
    'Song, audio feedback (2)',
    'Song (2)',
  ]);
});
