import type { ILyricsTag } from 'music-metadata';
import type { LrcLine } from '#features/lyrics/lrc.ts';

export type AudioTags = {
  title: string | null;
  words: string | null;
  /** Lines with their start times; null if the file has none in milliseconds. */
  timed: LrcLine[] | null;
  picture: Blob | null;
  /** Length in seconds; null if the file doesn't contain it. */
  seconds: number | null;
};

export const NO_AUDIO_TAGS: AudioTags = {
  title: null,
  words: null,
  timed: null,
  picture: null,
  seconds: null,
};

/** Matches empty titles and placeholders such as 'Track 3' or '07', which some programs write. */
const PLACEHOLDER_TITLE = /^(track|audio|titel|pista|piste)?\s*\d*$/i;

/** Reads the tags of an audio file. Returns {@link NO_AUDIO_TAGS} if that fails. */
export async function readAudioTags(file: Blob): Promise<AudioTags> {
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
    return NO_AUDIO_TAGS;
  }
}

/** ID3 timestamp format for milliseconds. The other format counts MPEG frames. */
const TIMESTAMP_IN_MS = 2;

function parseTimedLyrics({ syncText, timeStampFormat }: ILyricsTag): LrcLine[] | null {
  if (timeStampFormat !== TIMESTAMP_IN_MS || syncText.length === 0) return null;
  return syncText.map(({ text, timestamp = 0 }) => ({ starts: [timestamp / 1000], words: text.trim() }));
}
