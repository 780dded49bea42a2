import type { UploadSlotName } from './kinds.ts';

/**
 * Kinds of audio that a slot can be limited to. A slot without `audioKinds` accepts everything that browsers
 * play.
 */
export type SlotAudioKind = 'mp3' | 'wav' | 'm4a';

/** A purpose for which a file can be uploaded, and the rules for such files. */
export type UploadSlot = {
  /**
   * Stored with each uploaded file, so that the feature that owns the file can decide who may access it.
   * Copies, which the server makes, have a slot of their own.
   */
  name: UploadSlotName;
  media: 'audio' | 'image';
  sentBy: 'student' | 'admin';
  /** Exclusive upper limit of the size, in bytes. */
  tooLargeFrom: number;
  tooLargeMessage: string;
  /** Maximum duration of the audio, in seconds. */
  maxSeconds?: number;
  audioKinds?: readonly SlotAudioKind[];
};

export const MEBIBYTE = 1024 * 1024;

/** Rounds the duration of audio to the nearest whole second, at least one, as it is stored and shown. */
export const toWholeSeconds = (seconds: number) => Math.max(1, Math.round(seconds));

/** Number of bars in every waveform. A file's peaks have one byte for each. */
export const WAVEFORM_BAR_COUNT = 200;

export const FILE_DAMAGED_MESSAGE =
  'This file is damaged and can’t be opened right now. We’ve reported the problem.';

/**
 * Copies that may be played instead of the original. 'small' has at most 64 kbit/s, for poor connections.
 * 'full' is for originals that not every device plays, or in which browsers can only estimate positions.
 */
export const SOUND_COPIES = ['small', 'full'] as const;
export type SoundCopy = (typeof SOUND_COPIES)[number];
