import type { AudioFileKind } from '../../contract/audio-kind.ts';
import type { AudioKind as LimitedKind } from '../../contract/media.ts';

export type AudioKind = AudioFileKind;

export type AudioRules = {
  /** Longer than this, by what the file claims or by what is in it, is refused. */
  maxSeconds: number;
  /** Absent: every kind that browsers play. */
  kinds?: readonly LimitedKind[];
};

export type AudioFacts = {
  /** What to serve it as, always `audio/*`, decided by the bytes. */
  contentType: string;
  /** Without the dot. */
  extension: string;
  /** The length that is really in the file, at least 1. */
  durationMs: number;
  /**
   * As many bytes as a waveform has bars: the loudest |sample| of each slice of the duration, over all channels, linear,
   * 255 = full scale. Null where nothing here decodes the format (AAC without ffmpeg).
   */
  peaks: Uint8Array | null;
  /** An MP3 whose frames differ in bit rate, or that says so: browsers seek in it by guessing. */
  vbr: boolean;
};

export const servedAs = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  flac: 'audio/flac',
  aac: 'audio/aac',
} satisfies Record<AudioKind, string>;

/**
 * What is let through to a decoder. Far outside of it a few bytes claim hours (1 Hz) or gigabytes (65,535
 * channels); browsers play nothing there either.
 */
export const bounds = { minRate: 4_000, maxRate: 192_000, maxChannels: 8 };

export function withinBounds(rate: number, channels: number): boolean {
  return rate >= bounds.minRate && rate <= bounds.maxRate && channels >= 1 && channels <= bounds.maxChannels;
}
