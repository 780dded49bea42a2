import { MAX_MELODY_TEXT_LENGTH, MAX_TIMING_SECONDS, MAX_TIMINGS } from './limits.ts';
import { splitLines, type SungLine, getLineWords } from './parse.ts';
import { normalizeLineStarts, type SungLineStart } from './timings.ts';

/** A line of words, with all times at which it is sung, in seconds. */
export type LrcLine = { starts: number[]; words: string };

// Matches [mm:ss] and [mm:ss.xx]. Some programs write a colon instead of the decimal point. In stamps with
// hours, the point is required.
const STAMP = /^\s*\[(?:(\d{1,2}):(?=\d+:\d+\.))?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,3}))?\]/;
const LABEL = /^\s*\[([a-z#][a-z0-9_ ]*):([^\]]*)\]\s*$/i;
// Matches the time stamp of a single word within a line.
const WORD_STAMP = /<\d{1,3}:\d{1,2}(?:[.,:]\d{1,3})?>/g;

/**
 * Parses an LRC file into its timed lines, with its offset applied. Skips labels such as the title, and lines
 * without a time. A line without words is a pause.
 */
export function parseLrc(file: string): LrcLine[] {
  let offset = 0;
  const lines: LrcLine[] = [];
  for (const raw of splitLines(file.replace(/^\ufeff/, ''))) {
    const { starts, rest } = parseStamps(raw);
    if (starts.length > 0) {
      lines.push({ starts, words: rest.replace(WORD_STAMP, '').replace(/\s+/g, ' ').trim() });
      continue;
    }
    const [, label, value] = LABEL.exec(raw) ?? [];
    if (label?.toLowerCase() === 'offset') offset = Number(value) || 0;
  }
  // Subtracts the offset, which is in milliseconds, because a positive offset makes the words appear earlier.
  return lines.map(({ starts, words }) => ({
    starts: starts.map((start) => roundToHundredths(Math.max(0, start - offset / 1000))),
    words,
  }));
}

function parseStamps(raw: string) {
  const starts: number[] = [];
  let rest = raw;
  for (let found = STAMP.exec(rest); found; found = STAMP.exec(rest)) {
    const [stamp, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = found;
    starts.push(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`));
    rest = rest.slice(stamp.length);
  }
  return { starts, rest };
}

/**
 * Reads the text of an LRC file. Most files are UTF-8. Files saved as 'Unicode' on Windows are UTF-16
 * (little-endian) and start with a byte order mark. Other encodings are rejected, because letters would be
 * garbled.
 * @returns null if the file has another encoding
 */
export async function readLrcText(file: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const coding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    const text = new TextDecoder(coding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Returns why the content of an LRC file can't be saved, or null if it can. */
export function checkLrcLimits(text: string, passages: readonly SungLineStart[]): string | null {
  if (text.length > MAX_MELODY_TEXT_LENGTH)
    return `Its words are longer than ${COUNT_FORMAT.format(MAX_MELODY_TEXT_LENGTH)} characters.`;
  if (passages.length > MAX_TIMINGS)
    return `It has more than ${COUNT_FORMAT.format(MAX_TIMINGS)} timed lines.`;
  if (passages.some(({ start }) => start > MAX_TIMING_SECONDS)) return 'It has a time of more than 24 hours.';
  return null;
}

const COUNT_FORMAT = new Intl.NumberFormat('en');

export type LrcMatch = {
  passages: SungLineStart[];
  /** Number of sung lines with a time. */
  timedCount: number;
  /** Words of the file that were assigned to no line of the text. */
  unmatchedWords: string[];
};

/**
 * Minimum share of a file's lines whose words must be in the text. With a smaller share, the file is taken to
 * be for another melody.
 */
const MIN_MATCHED_SHARE = 0.5;

/**
 * Assigns an LRC file's times to the lines of a text. Lines are matched by their words, ignoring case, accents
 * and punctuation. Words that match no line are assigned to the line after the previously assigned one, unless
 * other words of the file match that line. Assigns nothing if most lines of the file are not in the text.
 */
export function matchLrc(lrc: readonly LrcLine[], lines: readonly SungLine[]): LrcMatch {
  const sung = lrc
    .filter(({ words }) => words !== '')
    .flatMap(({ starts, words }) => starts.map((start) => ({ start, words })))
    .sort((a, b) => a.start - b.start);
  const places = new LineFinder(lines);
  const found = sung.map(({ words }) => places.next(words));
  const matched = found.filter((index) => index !== null);
  if (matched.length < sung.length * MIN_MATCHED_SHARE)
    return { passages: [], timedCount: 0, unmatchedWords: [...new Set(sung.map(({ words }) => words))] };
  const taken = new Set(found);
  let before = -1;
  const entries = sung.map(({ start, words }, i) => {
    const follows = before + 1;
    const isFree = follows < lines.length && !taken.has(follows);
    const index = found[i] ?? (isFree ? follows : null);
    before = index ?? before;
    return { start, words, index };
  });
  const passages = normalizeLineStarts(
    entries.flatMap(({ index, start }) => (index === null ? [] : [{ index, start }])),
  );
  const left = entries.filter(({ index }) => index === null).map(({ words }) => words);
  return { passages, timedCount: passages.length, unmatchedWords: [...new Set(left)] };
}

/**
 * Creates the text for a melody without words from an LRC file. The lines are in the order in which they are
 * sung, and pauses separate the verses.
 */
export const convertLrcToText = (lrc: readonly LrcLine[]): string =>
  lrc
    .flatMap(({ starts, words }) => starts.map((start) => ({ start, words })))
    .sort((a, b) => a.start - b.start)
    .map(({ words }) => words)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

/**
 * Exports the timed lines of a text as an LRC file. Each line contains its pronunciation, or its first layer
 * if it has no pronunciation.
 */
export function formatLrc(
  title: string,
  lines: readonly SungLine[],
  passages: readonly SungLineStart[],
): string {
  const label = title.replace(/[[\]\s]+/g, ' ').trim();
  const sung = normalizeLineStarts(passages).flatMap(({ index, start }) => {
    const line = lines[index];
    return line ? [`${formatStamp(start)}${getLineWords(line)}`] : [];
  });
  return [`[ti:${label}]`, ...sung, ''].join('\n');
}

/** Rounds to the precision of LRC files, because exporting and importing would lose finer times. */
export const roundToHundredths = (seconds: number) => Math.round(seconds * 100) / 100;

function formatStamp(seconds: number) {
  const all = Math.round(seconds * 100);
  const two = (value: number) => String(value).padStart(2, '0');
  return `[${two(Math.floor(all / 6000))}:${two(Math.floor(all / 100) % 60)}.${two(all % 100)}]`;
}

/**
 * Finds sung lines by the words of any layer. `next` returns the first match after the previously found line,
 * otherwise the first match in the text; null if there is none.
 */
class LineFinder {
  private readonly byWords = new Map<string, number[]>();
  private from = 0;

  constructor(lines: readonly SungLine[]) {
    for (const { index, parts } of lines) {
      for (const words of new Set(parts.map((part) => normalizeWords(part.words)))) {
        if (words === '') continue;
        const found = this.byWords.get(words);
        if (found) found.push(index);
        else this.byWords.set(words, [index]);
      }
    }
  }

  next(words: string): number | null {
    const indexes = this.byWords.get(normalizeWords(words));
    if (!indexes) return null;
    // Starts again at the first match if there is none further down, because the text is then being repeated.
    const index = findFirstFrom(indexes, this.from) ?? indexes[0]!;
    this.from = index + 1;
    return index;
  }
}

function findFirstFrom(sorted: readonly number[], least: number): number | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < least) from = middle + 1;
    else to = middle;
  }
  return sorted[from];
}

/** Reduces words to lowercase letters and digits without accents. Tibetan vowel signs count as letters. */
export const normalizeWords = (words: string) =>
  words
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
