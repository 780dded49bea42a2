import type { AudioFileKind } from '#shared/audio-kind.ts';
import { WAVEFORM_BAR_COUNT, type SlotAudioKind as LimitedKind } from '#shared/media.ts';

export type AudioKind = AudioFileKind;

export type AudioRules = {
  /** Maximum duration, checked in both the header and the content. */
  maxSeconds: number;
  /** Accepted kinds; if absent, all kinds that browsers play. */
  kinds?: readonly LimitedKind[];
};

export type AudioFacts = {
  /** Content type for serving the file, always `audio/*`, determined from its bytes. */
  contentType: string;
  /** File name extension without the dot. */
  extension: string;
  /** Real duration in ms, at least 1. */
  durationMs: number;
  /**
   * Waveform with one byte per bar. Each byte is the peak |sample| of all channels in one slice of the audio.
   * The scale is linear, and 255 is full scale. Null if there is no decoder for the format (such as AAC
   * without ffmpeg).
   */
  peaks: Uint8Array | null;
  /**
   * Whether the file is an MP3 of variable bit rate, according to its frames or its header. Browsers can only
   * estimate seek positions in such a file.
   */
  vbr: boolean;
};

export const AUDIO_CONTENT_TYPES = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  flac: 'audio/flac',
  aac: 'audio/aac',
} satisfies Record<AudioKind, string>;

/** Tolerance for codec padding in seconds, so that a file of exactly the maximum duration is accepted. */
export const CODEC_PADDING_TOLERANCE_SECONDS = 1;

/**
 * Returns whether facts from an untrusted process are possible for an accepted file. The check matters
 * because the facts determine the name and the content type of the stored file.
 */
export function arePlausibleAudioFacts(
  value: unknown,
  { maxSeconds, kinds }: AudioRules,
): value is AudioFacts {
  const accepted: readonly string[] = kinds ?? Object.keys(AUDIO_CONTENT_TYPES);
  const { extension, contentType, durationMs, peaks, vbr } = (value ?? {}) as Partial<AudioFacts>;
  return (
    typeof extension === 'string' &&
    accepted.includes(extension) &&
    contentType === AUDIO_CONTENT_TYPES[extension as AudioKind] &&
    Number.isInteger(durationMs) &&
    durationMs! >= 1 &&
    durationMs! <= Math.ceil((maxSeconds + CODEC_PADDING_TOLERANCE_SECONDS) * 1000) &&
    (peaks === null || (peaks instanceof Uint8Array && peaks.length === WAVEFORM_BAR_COUNT)) &&
    typeof vbr === 'boolean'
  );
}

/**
 * Limits for audio that is passed to a decoder. Without them, a few bytes could claim to be hours of audio (at
 * 1 Hz) or gigabytes of samples (with 65,535 channels). Browsers don't play such files anyway.
 */
export const DECODABLE_AUDIO_LIMITS = { minRate: 4_000, maxRate: 192_000, maxChannels: 8 };

export function isDecodableAudio(rate: number, channels: number): boolean {
  return (
    rate >= DECODABLE_AUDIO_LIMITS.minRate &&
    rate <= DECODABLE_AUDIO_LIMITS.maxRate &&
    channels >= 1 &&
    channels <= DECODABLE_AUDIO_LIMITS.maxChannels
  );
}
