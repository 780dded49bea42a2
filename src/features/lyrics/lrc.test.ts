import { expect, test } from 'vitest';
import { fc } from '#testing/properties.ts';
import { anyText } from './any-text.fixture.ts';
import {
  normalizeWords,
  roundToHundredths,
  readLrcText,
  formatLrc,
  matchLrc,
  parseLrc,
  convertLrcToText,
  checkLrcLimits,
} from './lrc.ts';
import { parseSungLines } from './parse.ts';

const TEXT =
  'bo: སངས་རྒྱས་ཆོས།\nSangye chö\nen: In the Buddha\nbo: བྱང་ཆུབ་བར་དུ།\nJangchub bardu\nen: until awakening';
const lines = parseSungLines(TEXT);

test('parses every format of time stamps, and skips labels and untimed lines', () => {
  const file = [
    '\ufeff[ti:Refuge]',
    '[ar: Khandro]',
    '[00:01.50]one',
    '[00:02]two',
    '[1:03.250] three ',
    '[00:04:50]four',
    '[1:00:05.00]five',
    '[00:06.00][00:16.00] six',
    '[00:07.00]<00:07.00> se<00:07.50>ven',
    'not timed',
    '[00:xx]neither',
    '[00:08.00]',
  ].join('\r\n');
  expect(parseLrc(file)).toEqual([
    { starts: [1.5], words: 'one' },
    { starts: [2], words: 'two' },
    { starts: [63.25], words: 'three' },
    { starts: [4.5], words: 'four' },
    { starts: [3605], words: 'five' },
    { starts: [6, 16], words: 'six' },
    { starts: [7], words: 'seven' },
    { starts: [8], words: '' },
  ]);
});

test('a positive offset moves words earlier, but never before 0:00', () => {
  expect(parseLrc('[offset:+500]\n[00:02.00]a\n[00:00.20]b').map(({ starts }) => starts[0])).toEqual([
    1.5, 0,
  ]);
  expect(parseLrc('[00:02.00]a\n[offset: -250]').map(({ starts }) => starts[0])).toEqual([2.25]);
  expect(parseLrc('[offset:soon]\n[00:02.00]a').map(({ starts }) => starts[0])).toEqual([2]);
});

test('matches lines by the words of any layer, ignoring case, accents and punctuation', () => {
  const { passages, unmatchedWords } = matchLrc(
    parseLrc('[00:05]JANGCHUB, BARDU!\n[00:01]sangye cho'),
    lines,
  );
  expect(passages).toEqual([
    { index: 0, start: 1 },
    { index: 1, start: 5 },
  ]);
  expect(unmatchedWords).toEqual([]);
  expect(matchLrc(parseLrc('[00:01]བྱང་ཆུབ་བར་དུ'), lines).passages).toEqual([{ index: 1, start: 1 }]);
  expect(normalizeWords('ཀི')).not.toBe(normalizeWords('ཀུ'));
});

test('matches nothing if most lines of the file are not in the text', () => {
  const other = matchLrc(parseLrc('[00:01]Sangye chö\n[00:02]second\n[00:03]third'), lines);
  expect(other).toEqual({ passages: [], timedCount: 0, unmatchedWords: ['Sangye chö', 'second', 'third'] });
});

test('gives unmatched words the next free line, or reports them if no line is free', () => {
  const matched = matchLrc(parseLrc('[00:01]Sangye chö\n[00:02]Jangchub bardu\n[00:03]third'), lines);
  expect(matched.passages).toEqual([
    { index: 0, start: 1 },
    { index: 1, start: 2 },
  ]);
  expect(matched).toMatchObject({ timedCount: 2, unmatchedWords: ['third'] });
  const between = matchLrc(
    parseLrc('[00:01]Ka\n[00:02]a typing error\n[00:03]Ga'),
    parseSungLines('Ka\nKha\nGa'),
  );
  expect(between.passages.map(({ index }) => index)).toEqual([0, 1, 2]);
});

test('matches equal lines in order, and ignores surplus time stamps', () => {
  const equal = matchLrc(parseLrc('[00:01][00:02][00:03]Om'), parseSungLines('Om\nOm\nOm'));
  expect(equal.passages.map(({ index }) => index)).toEqual([0, 1, 2]);
  const refrain = matchLrc(
    parseLrc('[00:01][00:05]Ka\n[00:03][00:07]Kha'),
    parseSungLines('Ka\nKha\n\nKa\nKha'),
  );
  expect(refrain.passages).toEqual([1, 3, 5, 7].map((start, index) => ({ index, start })));
  const once = matchLrc(parseLrc('[00:01][00:05]Ka\n[00:03][00:07]Kha'), parseSungLines('Ka\nKha'));
  expect(once.passages).toEqual([
    { index: 0, start: 1 },
    { index: 1, start: 3 },
  ]);
});

test('convertLrcToText repeats a refrain for each of its time stamps', () => {
  expect(convertLrcToText(parseLrc('[00:01][00:05]Ka\n[00:03]Kha'))).toBe('Ka\nKha\nKa');
});

test('convertLrcToText turns each pause between lines into a blank line', () => {
  const lrc = parseLrc('[00:05]Kha\n[00:09]\n[00:01]Ka\n[00:10]Ga\n[00:12]\n[00:13]');
  expect(convertLrcToText(lrc)).toBe('Ka\nKha\n\nGa');
  const sung = parseSungLines(convertLrcToText(lrc));
  expect(matchLrc(lrc, sung).passages.map(({ start }) => start)).toEqual([1, 5, 10]);
});

test('importing an exported file returns the same times', () => {
  const passages = [
    { index: 0, start: 1.25 },
    { index: 1, start: 61.07 },
  ];
  const file = formatLrc('Refuge [and]\nBodhicitta', lines, passages);
  expect(file).toBe('[ti:Refuge and Bodhicitta]\n[00:01.25]Sangye chö\n[01:01.07]Jangchub bardu\n');
  expect(matchLrc(parseLrc(file), lines).passages).toEqual(passages);
});

test('importing an exported file returns the same times for arbitrary distinct lines', () => {
  const pauses = fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 30 });
  const readsBack = fc.property(pauses, fc.constantFrom('\n', '\n\n'), (hundredthsBefore, between) => {
    const sung = parseSungLines(hundredthsBefore.map((_, at) => `Line ${at}`).join(between));
    let now = 0;
    const passages = sung.map(({ index }) => ({
      index,
      start: roundToHundredths((now += hundredthsBefore[index]! / 100)),
    }));
    expect(matchLrc(parseLrc(formatLrc('', sung, passages)), sung).passages).toEqual(passages);
  });
  fc.assert(readsBack);
});

test('parses, matches and exports arbitrary files and texts without throwing', () => {
  const stamp = fc
    .tuple(fc.nat(90), fc.nat(59))
    .map(([minutes, seconds]) => `\n[${minutes}:${String(seconds).padStart(2, '0')}.5]`);
  const anyFile = fc.array(fc.tuple(stamp, anyText), { maxLength: 12 }).map((lines) => lines.flat().join(''));
  const goesThrough = fc.property(anyFile, anyText, (file, text) => {
    const lrc = parseLrc(file);
    const sung = parseSungLines(text);
    const { passages } = matchLrc(lrc, sung);
    expect(passages.every(({ index, start }) => sung[index] !== undefined && start >= 0)).toBe(true);
    expect(typeof formatLrc(file, sung, passages) + typeof convertLrcToText(lrc)).toBe('stringstring');
  });
  fc.assert(goesThrough);
  expect(parseLrc('[00:01.00]'.repeat(20_000))).toHaveLength(1);
});

test.each([
  ['UTF-8', Buffer.from('[00:01]སངས་རྒྱས།'), '[00:01]སངས་རྒྱས།'],
  ['UTF-16', Buffer.from('\ufeff[00:01]Sangye', 'utf16le'), '[00:01]Sangye'],
  ['another encoding', Buffer.from('[00:01]Sangyé', 'latin1'), null],
  ['binary data', Buffer.from([0x5b, 0, 0, 1, 2]), null],
])('decodes UTF-8 and UTF-16, and returns null for other data (here: %s)', async (_, bytes, read) => {
  expect(await readLrcText(new Blob([bytes]))).toBe(read);
});

test('rejects an LRC file that exceeds a limit instead of truncating it', () => {
  const passages = (count: number, start = 1) =>
    Array.from({ length: count }, (_, index) => ({ index, start }));
  const lrc = [{ starts: [1], words: 'a'.repeat(200_001) }];
  expect(convertLrcToText(lrc)).toHaveLength(200_001);
  expect(checkLrcLimits(convertLrcToText(lrc), passages(1))).toBe(
    'Its words are longer than 200,000 characters.',
  );
  expect(checkLrcLimits('a', passages(20_001))).toBe('It has more than 20,000 timed lines.');
  expect(checkLrcLimits('a', passages(1, 86_401))).toBe('It has a time of more than 24 hours.');
  expect(checkLrcLimits('a'.repeat(200_000), passages(20_000, 86_400))).toBeNull();
});
