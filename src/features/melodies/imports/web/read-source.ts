import { textOfBytes } from '#web/tables/text-of-bytes.ts';
import type { LineTiming } from '#features/melodies/contract.ts';
import { MELODY_TEXT_MAX } from '#features/lyrics/limits.ts';
import { type LrcLine, matchLrc, parseLrc, textOfLrc, tooMuchFor } from '#features/lyrics/lrc.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import { timingsOf } from '#features/lyrics/timings.ts';
import type { FolderFile, Group } from './import-files.ts';
import { melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { nameOf, titleOf } from '#features/melodies/web/file-name.ts';
import { melodyAudioRefusal } from '#features/melodies/web/refused-audio.ts';
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
  /** Why the sound can’t be added; null if it can. */
  soundRefusal: string | null;
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
    soundRefusal: group && (await melodyAudioRefusal(group.sound.file)),
    picture: usablePicture(group?.picture?.file ?? tags.picture, notes),
    ...timed,
    seconds: tags.seconds,
    notes,
  };
}

/** Matches timed lines to the words; without words, uses the words of the timed lines. */
function timedWords(words: string, lrc: readonly LrcLine[], notes: string[]) {
  const text = words || textOfLrc(lrc);
  const lines = sungLinesOf(text);
  const { passages } = matchLrc(lrc, lines);
  const tooMuch = tooMuchFor(text, passages);
  if (tooMuch) {
    notes.push(tooMuch);
    return { words: '', timings: [] };
  }
  if (lrc.length > 0 && passages.length === 0) notes.push('The line timing doesn’t match the words.');
  return { words: text, timings: timingsOf(lines, passages) };
}

function usablePicture(picture: Blob | null, notes: string[]): Blob | null {
  if (!picture || (picture.size > 0 && picture.size < melodyThumbnailSlot.tooLargeFrom)) return picture;
  notes.push(
    picture.size === 0
      ? 'The picture is empty, so it’s left out.'
      : 'The picture is larger than 10 MB, so it’s left out.',
  );
  return null;
}

async function textIn(file: FolderFile | null, notes: string[]): Promise<string> {
  if (!file) return '';
  if (file.file.size > TEXT_BYTES_MAX) {
    notes.push('The words are too long.');
    return '';
  }
  try {
    return textOfBytes(new Uint8Array(await file.file.arrayBuffer()));
  } catch {
    notes.push(`${nameOf(file.path)} can’t be read.`);
    return '';
  }
}

async function lrcOf(file: FolderFile | null, notes: string[]): Promise<LrcLine[] | null> {
  const found = parseLrc(await textIn(file, notes));
  return file && found.length > 0 ? found : null;
}
