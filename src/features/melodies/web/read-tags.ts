import type { ILyricsTag } from 'music-metadata';
import type { LrcLine } from '#features/lyrics/lrc.ts';

export type Tags = {
  title: string | null;
  words: string | null;
  /** Words with their times. */
  timed: LrcLine[] | null;
  picture: Blob | null;
  /** Seconds, if the file contains the length. */
  seconds: number | null;
};

export const NO_TAGS: Tags = { title: null, words: null, timed: null, picture: null, seconds: null };

/** Titles written by programs that name files by number. */
const PLACEHOLDER_TITLE = /^(track|audio|titel|pista|piste)?\s*\d*$/i;

/** Reads the tags of a sound file; returns no tags for a damaged one. */
export async function readTags(file: Blob): Promise<Tags> {
  try {
    const { parseBlob } = await import('music-metadata');
    const { common, format } = await parseBlob(file, { skipPostHeaders: true });
    const [lyrics] = common.lyrics ?? [];
    const [picture] = common.picture ?? [];
    const title = common.title?.trim() ?? '';
    return {
      title: PLACEHOLDER_TITLE.test(title) ? null : title,
      words: lyrics?.text?.trim() || null,
      timed: lyrics ? parseTimedLyrics(lyrics) : null,
      picture: picture ? new Blob([new Uint8Array(picture.data)], { type: picture.format }) : null,
      seconds: format.duration ?? null,
    };
  } catch {
    return NO_TAGS;
  }
}

/** Timestamp format in milliseconds; other formats count frames. */
const TIMESTAMP_IN_MS = 2;

function parseTimedLyrics({ syncText, timeStampFormat }: ILyricsTag): LrcLine[] | null {
  if (timeStampFormat !== TIMESTAMP_IN_MS || syncText.length === 0) return null;
  return syncText.map(({ text, timestamp = 0 }) => ({ starts: [timestamp / 1000], words: text.trim() }));
}
