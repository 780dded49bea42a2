import type { StoredRecording, TakeNote } from '#web/audio/stored-recording.ts';

/** Audio that the user has recorded or picked, before it is sent. */
export type ChosenAudio = {
  blob: Blob;
  /** The file's name; ends in .wav for a recording. */
  name: string;
  /** Null while unknown, or if the browser can't tell. */
  seconds: number | null;
  origin: 'recorded' | 'uploaded';
  /** Base64 of 200 bytes; null while unknown, or if the browser can't decode the sound. */
  peaks: string | null;
  /** Warnings to show before sending; absent for a file. */
  notes?: readonly TakeNote[];
  /** The copy stored on the device; null or absent while the audio is only in this page's memory. */
  kept?: StoredRecording | null;
  /** Why the device has not stored it, although it should have. */
  notKept?: 'full' | 'unavailable';
  /** A new recording is about to replace it. It stays until that is finished, and must not be sent before then. */
  isSetAside?: boolean;
};
