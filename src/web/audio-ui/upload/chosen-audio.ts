import type { StoredRecording, TakeNote } from '#web/audio/stored-recording.ts';

/** Audio that the user has recorded or picked, before it is sent. */
export type ChosenAudio = {
  blob: Blob;
  /** The file's name; that of a recording ends in .wav. */
  name: string;
  /** Null while, or if, the browser cannot tell. */
  seconds: number | null;
  origin: 'recorded' | 'uploaded';
  /** Base64 of 200 bytes; null while, or if, the browser cannot read the sound. */
  peaks: string | null;
  /** Warnings to show before it is sent; absent for a file. */
  notes?: readonly TakeNote[];
  /** The copy stored on the device; null or absent while the audio is only in this page's memory. */
  kept?: StoredRecording | null;
  /** Why the device has not stored it, though it should have. */
  notKept?: 'full' | 'unavailable';
  /** A new recording is about to replace it. It stays until that is made, and must not be sent meanwhile. */
  isSetAside?: boolean;
};
