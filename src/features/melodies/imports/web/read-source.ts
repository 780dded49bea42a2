import { decodeText } from '#web/tables/decode-text.ts';
import type { LineTiming } from '#features/melodies/contract.ts';
import { MAX_MELODY_TEXT_LENGTH } from '#features/lyrics/limits.ts';
import { type LrcLine, matchLrc, parseLrc, lrcToText, checkLrcLimits } from '#features/lyrics/lrc.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { toTimings } from '#features/lyrics/timings.ts';
import type { FolderFile, MelodyFileGroup } from './import-files.ts';
import { melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { getFileName, getTitleFromPath } from '#features/melodies/web/file-name.ts';
import { findMelodyAudioProblem } from '#features/melodies/web/melody-audio-problem.ts';
import type { ImportTableRow } from './import-table.ts';
import type { Tags } from '#features/melodies/web/read-tags.ts';

/** Melody assembled from files, table and tags; in memory only while the page is open. */
export type MelodySource = {
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
const MAX_TEXT_BYTES = MAX_MELODY_TEXT_LENGTH * 4;

type SourceParts = { group: MelodyFileGroup | null; row: ImportTableRow | null; tags: Tags };

/** @param key the row's key, used if there is no group */
export async function readSource(key: string, { group, row, tags }: SourceParts): Promise<MelodySource> {
  const notes: string[] = [];
  const words = row?.words || (await readText(group?.words ?? null, notes)) || (tags.words ?? '');
  const lrc = await readLrcLines(group?.times ?? null, notes);
  const timed = matchTimings(words.replaceAll(/\r\n?/g, '\n').trim(), lrc ?? tags.timed ?? [], notes);
  return {
    key,
    title: row?.title || (tags.title ?? (group ? getTitleFromPath(group.key) : '')),
    level: row?.level ?? '',
    description: row?.description ?? '',
    video: row?.video ?? '',
    sound: group?.sound.file ?? null,
    soundRefusal: group && (await findMelodyAudioProblem(group.sound.file)),
    picture: checkPicture(group?.picture?.file ?? tags.picture, notes),
    ...timed,
    seconds: tags.seconds,
    notes,
  };
}

/** Matches timed lines to the words; without words, uses the words of the timed lines. */
function matchTimings(words: string, lrc: readonly LrcLine[], notes: string[]) {
  const text = words || lrcToText(lrc);
  const lines = parseSungLines(text);
  const { passages } = matchLrc(lrc, lines);
  const tooMuch = checkLrcLimits(text, passages);
  if (tooMuch) {
    notes.push(tooMuch);
    return { words: '', timings: [] };
  }
  if (lrc.length > 0 && passages.length === 0) notes.push('The line timing doesn’t match the words.');
  return { words: text, timings: toTimings(lines, passages) };
}

function checkPicture(picture: Blob | null, notes: string[]): Blob | null {
  if (!picture || (picture.size > 0 && picture.size < melodyThumbnailSlot.tooLargeFrom)) return picture;
  notes.push(
    picture.size === 0
      ? 'The picture is empty, so it’s left out.'
      : 'The picture is larger than 10 MB, so it’s left out.',
  );
  return null;
}

async function readText(file: FolderFile | null, notes: string[]): Promise<string> {
  if (!file) return '';
  if (file.file.size > MAX_TEXT_BYTES) {
    notes.push('The words are too long.');
    return '';
  }
  try {
    return decodeText(new Uint8Array(await file.file.arrayBuffer()));
  } catch {
    notes.push(`${getFileName(file.path)} can’t be read.`);
    return '';
  }
}

async function readLrcLines(file: FolderFile | null, notes: string[]): Promise<LrcLine[] | null> {
  const found = parseLrc(await readText(file, notes));
  return file && found.length > 0 ? found : null;
}
