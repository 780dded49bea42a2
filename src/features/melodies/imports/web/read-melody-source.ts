import { decodeText } from '#web/tables/decode-text.ts';
import type { LineTiming } from '#features/melodies/contract.ts';
import { MAX_MELODY_TEXT_LENGTH } from '#features/lyrics/limits.ts';
import { type LrcLine, matchLrc, parseLrc, convertLrcToText, checkLrcLimits } from '#features/lyrics/lrc.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { toLineTimings } from '#features/lyrics/timings.ts';
import type { FolderFile, MelodyFileGroup } from './import-files.ts';
import { melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { getFileName, getTitleFromPath } from '#features/melodies/web/file-name.ts';
import { findMelodyAudioProblem } from '#features/melodies/web/melody-audio-problem.ts';
import type { ImportTableRow } from './import-table.ts';
import type { AudioTags } from '#features/melodies/web/read-audio-tags.ts';

/** Melody assembled from files, table row and tags. It is only in memory, not stored on the device. */
export type MelodySource = {
  key: string;
  title: string;
  /** Level name in the table; '' if there is none. */
  level: string;
  description: string;
  video: string;
  sound: File | null;
  /** Reason why the audio file can’t be added; null if it can. */
  soundRefusal: string | null;
  picture: Blob | null;
  words: string;
  timings: readonly LineTiming[];
  seconds: number | null;
  /** Problems found, as sentences for the user. */
  notes: readonly string[];
};

/** Maximum size of a text file, in bytes: the longest text with four bytes per character. */
const MAX_TEXT_BYTES = MAX_MELODY_TEXT_LENGTH * 4;

type SourceParts = { group: MelodyFileGroup | null; row: ImportTableRow | null; tags: AudioTags };

/**
 * Assembles a melody from its files, its table row and its audio tags.
 * @param key key of the import row
 */
export async function readMelodySource(
  key: string,
  { group, row, tags }: SourceParts,
): Promise<MelodySource> {
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

/**
 * Matches timed lines to the words. If there are no words, uses those of the timed lines. Returns neither
 * words nor timings if they exceed a limit.
 */
function matchTimings(words: string, lrc: readonly LrcLine[], notes: string[]) {
  const text = words || convertLrcToText(lrc);
  const lines = parseSungLines(text);
  const { passages } = matchLrc(lrc, lines);
  const tooMuch = checkLrcLimits(text, passages);
  if (tooMuch) {
    notes.push(tooMuch);
    return { words: '', timings: [] };
  }
  if (lrc.length > 0 && passages.length === 0) notes.push('The line timing doesn’t match the words.');
  return { words: text, timings: toLineTimings(lines, passages) };
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
