import { isTibetan } from './tibetan-script.ts';
import { type Layer, type LayerTag, parseLayerTag } from './tags.ts';

/** One line of the text as it was typed. */
export type TextLine = {
  /** Index of the line in the typed text, from 0, counting blank lines too. */
  line: number;
  layer: Layer;
  lang: string | null;
  /** The words without the tag, trimmed. */
  words: string;
  /** The line as typed, with its tag. */
  raw: string;
};

/** Words that are sung together, in up to three layers. */
export type SungLine = {
  /** Index among the sung lines of the whole text, from 0. */
  index: number;
  parts: TextLine[];
};

/** Sung lines with no blank line between them. */
export type Verse = SungLine[];

export const splitLines = (text: string) => text.split(/\r\n|\r|\n/);

/**
 * Parses a melody's text. Accepts any input: every line with words is returned once, in order, with its number.
 * A tag without words is ignored and does not start a sung line. `docs/sung-text.md` describes the format.
 */
export function parseSungText(text: string): Verse[] {
  const typed = splitLines(text).map(parseTextLine);
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

/** Returns the sung lines of all verses, in order. */
export const parseSungLines = (text: string): SungLine[] => parseSungText(text).flat();

/** Returns the layers in which a text has words, in display order. */
export function getLayers(verses: readonly Verse[]): Layer[] {
  const found = new Set<Layer>();
  for (const { parts } of verses.flat()) for (const { layer } of parts) found.add(layer);
  return LAYERS.filter((layer) => found.has(layer));
}

export const LAYERS: readonly Layer[] = ['tibetan', 'phonetics', 'translation'];

/**
 * Returns the words that stand for a line if only one layer is shown: its pronunciation, or its first layer if
 * it has no pronunciation.
 */
export const getLineWords = ({ parts }: SungLine) =>
  (parts.find(({ layer }) => layer === 'phonetics') ?? parts[0])?.words ?? '';

function parseTextLine(raw: string, line: number): (TextLine & { isTagged: boolean }) | null {
  // Returns null for a blank line. `trim` also removes the byte order mark that some editors put before the
  // first line.
  if (raw.trim() === '') return null;
  const tagged = parseLayerTag(raw);
  const words = (tagged ? raw.slice(tagged.length) : raw).trim();
  const { layer, lang } = tagged?.tag ?? guessTag(words);
  return { line, layer, lang, words, raw, isTagged: tagged !== null };
}

const guessTag = (words: string): LayerTag =>
  isTibetan(words) ? { layer: 'tibetan', lang: 'bo' } : { layer: 'phonetics', lang: null };
