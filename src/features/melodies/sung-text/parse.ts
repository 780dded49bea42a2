import { isTibetan } from './script.ts';
import { type Layer, type Tag, tagOf } from './tags.ts';

/** One line of the text as it was typed. */
export type TextLine = {
  /** Counts the lines of the typed text from 0, blank ones too. */
  line: number;
  layer: Layer;
  lang: string | null;
  /** Without the tag, and without the space around them. */
  words: string;
  /** As typed, with its tag. */
  raw: string;
};

/** What is sung at once: up to three layers of the same words. */
export type SungLine = {
  /** Counts the sung lines of the whole text from 0. */
  index: number;
  parts: TextLine[];
};

/** Sung lines with no blank line between them. */
export type Verse = SungLine[];

export const linesOf = (text: string) => text.split(/\r\n|\r|\n/);

/**
 * Reads a melody's text, whatever it is: every line with words comes back once, in order, with its number. A tag
 * alone says nothing, and parts nothing either. `docs/sung-text.md` says how the text is written.
 */
export function parseSungText(text: string): Verse[] {
  const typed = linesOf(text).map(textLine);
  const isTagged = typed.some((line) => line?.isTagged);
  const verses: Verse[] = [];
  let verse: Verse | null = null;
  let taken = new Set<string>();
  let index = 0;
  for (const line of typed) {
    if (line === null) {
      verse = null;
      continue;
    }
    const { isTagged: _, ...part } = line;
    if (part.words === '') continue;
    const key = `${part.layer} ${part.lang}`;
    if (verse === null) verses.push((verse = []));
    const current = verse.at(-1);
    if (current && isTagged && !taken.has(key)) {
      current.parts.push(part);
    } else {
      verse.push({ index, parts: [part] });
      index += 1;
      taken = new Set();
    }
    taken.add(key);
  }
  return verses;
}

/** The sung lines one after the other. */
export const sungLinesOf = (text: string): SungLine[] => parseSungText(text).flat();

/** The layers that a text has words in, in the order in which they are offered. */
export function layersIn(verses: readonly Verse[]): Layer[] {
  const found = new Set<Layer>();
  for (const { parts } of verses.flat()) for (const { layer } of parts) found.add(layer);
  return LAYERS.filter((layer) => found.has(layer));
}

export const LAYERS: readonly Layer[] = ['tibetan', 'phonetics', 'translation'];

/** The words by which a line is known where one layer must do: as it is pronounced, else its first. */
export const wordsOf = ({ parts }: SungLine) =>
  (parts.find(({ layer }) => layer === 'phonetics') ?? parts[0])?.words ?? '';

function textLine(raw: string, line: number): (TextLine & { isTagged: boolean }) | null {
  // To `trim`, the mark that some editors put before the first line is space too.
  if (raw.trim() === '') return null;
  const tagged = tagOf(raw);
  const words = (tagged ? raw.slice(tagged.length) : raw).trim();
  const { layer, lang } = tagged?.tag ?? untagged(words);
  return { line, layer, lang, words, raw, isTagged: tagged !== null };
}

const untagged = (words: string): Tag =>
  isTibetan(words) ? { layer: 'tibetan', lang: 'bo' } : { layer: 'phonetics', lang: null };
