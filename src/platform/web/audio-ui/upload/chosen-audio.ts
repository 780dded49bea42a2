import type { StoredRecording, TakeNote } from '../../takes/stored-recording.ts';

/** Audio that a person recorded or picked, before it is sent. */
export type ChosenAudio = {
  blob: Blob;
  /** The file's name; a recorded one ends in .wav. */
  name: string;
  /** Null while, or if, the browser cannot tell. */
  seconds: number | null;
  origin: 'recorded' | 'uploaded';
  /** Base64 of 200 bytes; null while, or if, the browser cannot read the sound. */
  peaks: string | null;
  /** What is to be said of it before it is sent; absent for a file. */
  notes?: readonly TakeNote[];
  /** What the device keeps of it; null or absent while it is in this page's memory alone. */
  kept?: StoredRecording | null;
  /** A new recording is about to take its place. It stays until that is made, and is not to be sent meanwhile. */
  isSetAside?: boolean;
};
