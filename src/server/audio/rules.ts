import type { AudioFileKind } from '#shared/audio-kind.ts';
import { WAVEFORM_BARS, type AudioKind as LimitedKind } from '#shared/media.ts';

export type AudioKind = AudioFileKind;

export type AudioRules = {
  /** Longer sounds are refused, whether the header or the content shows the length. */
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
   * One byte per waveform bar: the peak |sample| of each slice of the duration, over all channels, linear, 255 =
   * full scale. Null if nothing here decodes the format (AAC without ffmpeg).
   */
  peaks: Uint8Array | null;
  /**
   * Whether it is an MP3 of variable bit rate, by its frames or by its header: browsers can only estimate seek
   * positions in it.
   */
  vbr: boolean;
};

export const CONTENT_TYPES = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  flac: 'audio/flac',
  aac: 'audio/aac',
} satisfies Record<AudioKind, string>;

/** Tolerance for codec padding: a file of exactly the maximum duration must not be refused. */
export const PADDING_TOLERANCE_SECONDS = 1;

/**
 * Returns whether facts from an untrusted source can be those of an accepted file. They determine the stored file's
 * name and the content type it is served with.
 */
export function arePlausibleFacts(value: unknown, { maxSeconds, kinds }: AudioRules): value is AudioFacts {
  const accepted: readonly string[] = kinds ?? Object.keys(CONTENT_TYPES);
  const { extension, contentType, durationMs, peaks, vbr } = (value ?? {}) as Partial<AudioFacts>;
  return (
    typeof extension === 'string' &&
    accepted.includes(extension) &&
    contentType === CONTENT_TYPES[extension as AudioKind] &&
    Number.isInteger(durationMs) &&
    durationMs! >= 1 &&
    durationMs! <= Math.ceil((maxSeconds + PADDING_TOLERANCE_SECONDS) * 1000) &&
    (peaks === null || (peaks instanceof Uint8Array && peaks.length === WAVEFORM_BARS)) &&
    typeof vbr === 'boolean'
  );
}

/**
 * Limits for sound that is passed to a decoder. Far outside them, a few bytes claim hours (1 Hz) or gigabytes
 * (65,535 channels), and browsers don't play such files either.
 */
export const DECODABLE_BOUNDS = { minRate: 4_000, maxRate: 192_000, maxChannels: 8 };

export function isWithinBounds(rate: number, channels: number): boolean {
  return (
    rate >= DECODABLE_BOUNDS.minRate &&
    rate <= DECODABLE_BOUNDS.maxRate &&
    channels >= 1 &&
    channels <= DECODABLE_BOUNDS.maxChannels
  );
}
