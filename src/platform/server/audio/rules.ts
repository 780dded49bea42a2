import type { AudioFileKind } from '../../contract/audio-kind.ts';
import type { AudioKind as LimitedKind } from '../../contract/media.ts';

export type AudioKind = AudioFileKind;

export type AudioRules = {
  /** Anything longer is refused, whether by its header or by its content. */
  maxSeconds: number;
  /** Absent: every kind that browsers play. */
  kinds?: readonly LimitedKind[];
};

export type AudioFacts = {
  /** The content type to serve it with, always `audio/*`, determined from the bytes. */
  contentType: string;
  /** Without the dot. */
  extension: string;
  /** The real duration, at least 1. */
  durationMs: number;
  /**
   * One byte per waveform bar: the peak |sample| of each slice of the duration, over all channels, linear, 255 = full
   * scale. Null where nothing here decodes the format (AAC without ffmpeg).
   */
  peaks: Uint8Array | null;
  /** An MP3 of variable bit rate, by its frames or by its header: browsers can only estimate seek positions in it. */
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
 * What is passed to a decoder. Far outside these bounds, a few bytes claim hours (1 Hz) or gigabytes (65,535 channels);
 * browsers don't play those either.
 */
export const bounds = { minRate: 4_000, maxRate: 192_000, maxChannels: 8 };

export function withinBounds(rate: number, channels: number): boolean {
  return rate >= bounds.minRate && rate <= bounds.maxRate && channels >= 1 && channels <= bounds.maxChannels;
}
