import type { SlotName } from './kinds.ts';

/** Kinds of audio that a slot can be limited to; a slot without `audioKinds` takes everything that browsers play. */
export type AudioKind = 'mp3' | 'wav' | 'm4a';

/** A purpose that a file can be uploaded for, with its rules. */
export type UploadSlot = {
  /**
   * Stored with each file, so that the feature that owns the file can decide who may have it. Copies are made on the
   * server, not sent.
   */
  name: SlotName;
  media: 'audio' | 'image';
  sentBy: 'student' | 'admin';
  /** Smallest size that is too large, in bytes. */
  tooLargeFrom: number;
  tooLargeMessage: string;
  /** Maximum length of the audio, in seconds. */
  maxSeconds?: number;
  audioKinds?: readonly AudioKind[];
};

export const MEBIBYTE = 1024 * 1024;

/** Rounds the length of a sound to whole seconds, as it is stored and shown: to the nearest, at least one. */
export const toWholeSeconds = (seconds: number) => Math.max(1, Math.round(seconds));

/** Number of bars in every waveform; a file's peaks are this many bytes. */
export const WAVEFORM_BARS = 200;

/** Number of bars in every waveform; a file's peaks have one byte for each. */
export const FILE_DAMAGED = 'This file is damaged and can’t be opened right now. We’ve told the teacher.';

/**
 * Copies that may be played instead of the sound itself. 'small' has at most 64 kbit/s, for poor connections. 'full'
 * is for sounds that not every device plays, or in which browsers can only estimate positions.
 */
export const SOUND_COPIES = ['small', 'full'] as const;
export type SoundCopy = (typeof SOUND_COPIES)[number];
