import type { StoredRecording, TakeWarning } from '#web/audio/stored-recording.ts';

/** Audio that the user has recorded or picked, before it is sent. */
export type ChosenAudio = {
  blob: Blob;
  /** The file's name; ends in .wav for a recording. */
  name: string;
  /** Duration; null while unknown, or if the browser can't determine it. */
  seconds: number | null;
  origin: 'recorded' | 'uploaded';
  /** Base64 of 200 bytes; null while unknown, or if the browser can't decode the audio. */
  peaks: string | null;
  /** Warnings to show before sending; absent for an uploaded file. */
  notes?: readonly TakeWarning[];
  /** The audio as stored on the device; null or absent while it is only in this page's memory. */
  kept?: StoredRecording | null;
  /** Reason why the audio could not be stored on the device. */
  notKept?: 'full' | 'unavailable';
  /**
   * Whether a new recording is being made to replace this audio. Until the new recording is finished, this
   * audio stays but must not be sent.
   */
  isSetAside?: boolean;
};
