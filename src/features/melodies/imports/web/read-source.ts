import { textOfBytes } from '#web/tables/text-of-bytes.ts';
import type { LineTiming } from '#features/melodies/contract.ts';
import { MELODY_TEXT_MAX } from '#features/lyrics/limits.ts';
import { type LrcLine, matchLrc, parseLrc, textOfLrc, tooMuchFor } from '#features/lyrics/lrc.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import { timingsOf } from '#features/lyrics/timings.ts';
import type { FolderFile, Group } from './import-files.ts';
import { titleOf } from '#features/melodies/web/file-name.ts';
import type { TableRow } from './import-table.ts';
import type { Tags } from '#features/melodies/web/read-tags.ts';

/** Melody assembled from files, table and tags; in memory only while the page is open. */
export type Source = {
  key: string;
  title: string;
  /** Level name in the table; '' for none. */
  level: string;
  description: string;
  video: string;
  sound: File | null;
  picture: Blob | null;
  words: string;
  timings: readonly LineTiming[];
  seconds: number | null;
  /** Problems found, as sentences for the user. */
  notes: readonly string[];
};

/** Size of the longest text in the widest encoding. */
const TEXT_BYTES_MAX = MELODY_TEXT_MAX * 4;

type Parts = { group: Group | null; row: TableRow | null; tags: Tags };

/** @param key the row's key, used if there is no group */
export async function readSource(key: string, { group, row, tags }: Parts): Promise<Source> {
  const notes: string[] = [];
  const words = row?.words || (await textIn(group?.words ?? null, notes)) || (tags.words ?? '');
  const lrc = await lrcOf(group?.times ?? null, notes);
  const timed = timedWords(words.replaceAll(/\r\n?/g, '\n').trim(), lrc ?? tags.timed ?? [], notes);
  return {
    key,
    title: row?.title || (tags.title ?? (group ? titleOf(group.key) : '')),
    level: row?.level ?? '',
    description: row?.description ?? '',
    video: row?.video ?? '',
    sound: group?.sound.file ?? null,
    picture: group?.picture?.file ?? tags.picture,
    ...timed,
    seconds: tags.seconds,
    notes,
  };
}

/** Matches timed lines to the words; without words, uses those of the timed lines. */
function timedWords(words: string, lrc: readonly LrcLine[], notes: string[]) {
  const text = words || textOfLrc(lrc);
  const lines = sungLinesOf(text);
  const { passages } = matchLrc(lrc, lines);
  const tooMuch = tooMuchFor(text, passages);
  if (tooMuch) {
    notes.push(tooMuch);
    return { words: '', timings: [] };
  }
  if (lrc.length > 0 && passages.length === 0) notes.push('None of its times fit the words.');
  return { words: text, timings: timingsOf(lines, passages) };
}

async function textIn(file: FolderFile | null, notes: string[]): Promise<string> {
  if (!file) return '';
  if (file.file.size > TEXT_BYTES_MAX) {
    notes.push('Its text is too long.');
    return '';
  }
  return textOfBytes(new Uint8Array(await file.file.arrayBuffer()));
}

async function lrcOf(file: FolderFile | null, notes: string[]): Promise<LrcLine[] | null> {
  const found = parseLrc(await textIn(file, notes));
  return file && found.length > 0 ? found : null;
}
