import type { SlotName } from './kinds.ts';

/** Kinds of audio a slot can be limited to; a slot without `audioKinds` takes all that browsers play. */
export type AudioKind = 'mp3' | 'wav' | 'm4a';

/** Everything there is to know about one place where a file may be sent to. */
export type UploadSlot = {
  /** Stored with each file, so that its owner can be asked who may have it. Copies are made, not sent. */
  name: SlotName;
  media: 'audio' | 'image';
  /** The role that may send a file there. */
  sentBy: 'student' | 'admin';
  /** The first size that is too large, in bytes. */
  tooLargeFrom: number;
  tooLargeMessage: string;
  /** Longest audio taken, in seconds. */
  maxSeconds?: number;
  audioKinds?: readonly AudioKind[];
};

export const MEBIBYTE = 1024 * 1024;

/** How many bars every waveform has; a file's peaks are this many bytes. */
export const WAVEFORM_BARS = 200;

/** Said with 503 of a stored file. A page knows by it that trying again is no use, unlike with any other 503. */
export const FILE_DAMAGED =
  'This file was damaged where it is stored, and can’t be opened at the moment. The teacher has been told.';

/**
 * The copies of a sound that may be played in its place: 'small' of at most 64 kbit/s, for poor connections; 'full' where not every device plays the sound itself, or browsers can only estimate positions in it.
 */
export const SOUND_COPIES = ['small', 'full'] as const;
export type SoundCopy = (typeof SOUND_COPIES)[number];
