import { describe, expect, test } from 'vitest';
import { fc } from '#testing/properties.ts';
import { anyText } from './any-text.fixture.ts';
import { getLayers, splitLines, parseSungText, parseSungLines, getLineWords } from './parse.ts';

const shape = (text: string) =>
  parseSungText(text).map((verse) =>
    verse.map(({ parts }) => parts.map(({ layer, words }) => `${layer}: ${words}`)),
  );

describe('text format', () => {
  test('plain lines are pronunciation, and blank lines separate verses', () => {
    expect(shape('Om mani\npadme hung\n\n \n\nSoha')).toEqual([
      [['phonetics: Om mani'], ['phonetics: padme hung']],
      [['phonetics: Soha']],
    ]);
  });

  test('a repeated tag starts the next sung line', () => {
    expect(shape('bo: ཀ།\nKa\nen: The first\nbo: ཁ།\nKha\nen: The second')).toEqual([
      [
        ['tibetan: ཀ།', 'phonetics: Ka', 'translation: The first'],
        ['tibetan: ཁ།', 'phonetics: Kha', 'translation: The second'],
      ],
    ]);
  });

  test('a blank line ends a sung line, even between its layers', () => {
    expect(shape('bo: ཀ།\n\nKa\nen: The first')).toEqual([
      [['tibetan: ཀ།']],
      [['phonetics: Ka', 'translation: The first']],
    ]);
  });

  test('a line can have translations into several languages', () => {
    const [line] = parseSungLines('Ka\nen: One\nde: Eins\ntr: Un');
    expect(line!.parts.map(({ lang }) => lang)).toEqual([null, 'en', 'de', null]);
    expect(parseSungLines('Ka\nen: One\nen: Two')).toHaveLength(2);
  });

  test('Tibetan script needs no tag, and each untagged line is a separate sung line', () => {
    expect(shape('ཨོཾ་མ་ཎི།\nOm mani')).toEqual([[['tibetan: ཨོཾ་མ་ཎི།'], ['phonetics: Om mani']]]);
    expect(parseSungLines('ཨོཾ།')[0]!.parts[0]).toMatchObject({ layer: 'tibetan', lang: 'bo' });
    expect(parseSungLines('ཨོཾ Om')[0]!.parts[0]).toMatchObject({ layer: 'phonetics', lang: null });
  });

  test.each([
    'om: mani',
    'hri: ',
    'Note: softly',
    'http://example.org',
    'e n: x',
    'eng: x',
    'en x',
    ': x',
    'xx: y',
  ])('%j does not start with a known tag, so it is sung as typed', (text) =>
    expect(parseSungLines(text)[0]?.parts[0]).toMatchObject({ layer: 'phonetics', words: text.trim() }),
  );

  test.each(['EN: One', '  en : One', 'en：One', '\ufeffen:One', 'en:\tOne'])(
    '%j is parsed as an English translation',
    (text) => {
      expect(parseSungLines(text)[0]!.parts[0]).toMatchObject({
        layer: 'translation',
        lang: 'en',
        words: 'One',
      });
    },
  );

  test('a tag without words is ignored and does not start a sung line', () => {
    expect(shape('bo:\nKa\nen:\nbo: ཁ།\nKha')).toEqual([
      [['phonetics: Ka', 'tibetan: ཁ།'], ['phonetics: Kha']],
    ]);
    expect(shape('bo:\nen: \n')).toEqual([]);
  });

  test('accepts all line endings and a byte order mark', () => {
    const text = '\ufeffbo: ཀ།\r\nKa\r\r\nen: The first\rKha';
    expect(parseSungLines(text).map(({ parts }) => parts.map(({ line }) => line))).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  test('getLineWords returns a line’s pronunciation, or its Tibetan if it has none', () => {
    expect(parseSungLines('bo: ཀ།\nen: One\nph: Ka\n\nbo: ཁ།\nen: Two').map(getLineWords)).toEqual([
      'Ka',
      'ཁ།',
    ]);
  });

  test('getLayers returns only the layers that have words', () => {
    expect(getLayers(parseSungText('en: One\n\nbo: ཀ།'))).toEqual(['tibetan', 'translation']);
    expect(getLayers(parseSungText(''))).toEqual([]);
  });
});

describe('arbitrary text', () => {
  test('for any text, every line with words is returned once, in order, with its number', () => {
    const comesBack = fc.property(anyText, (text) => {
      const typed = splitLines(text);
      const lines = parseSungLines(text);
      const parts = lines.flatMap((line) => line.parts);
      expect(parts.every(({ line, raw }) => typed[line] === raw)).toBe(true);
      expect(parts.every(({ raw, words }) => words !== '' && raw.includes(words))).toBe(true);
      const numbers = parts.map(({ line }) => line);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      const missing = typed.filter((raw, line) => raw.trim() !== '' && !numbers.includes(line));
      expect(missing.every((raw) => /^[\s\ufeff]*\w\w[ \t]*[:：]\s*$/.test(raw))).toBe(true);
      expect(lines.map(({ index }) => index)).toEqual(lines.map((_, index) => index));
    });
    fc.assert(comesBack);
  });

  test('does not throw for 200,000 characters of repeated tags or line breaks', () => {
    const long = 200_000;
    for (const unit of [
      '\n',
      'a\n',
      'bo:\n',
      ' ',
      'en: x\r\n',
      '་',
      'en',
      ':',
      '\ufeff',
      '\ud800',
      'bo: ཀ\nKa\nen: x\n\n',
    ])
      expect(Array.isArray(parseSungText(unit.repeat(long / unit.length)))).toBe(true);
  });
});
