import type { LoudnessRating } from './loudness.ts';

/** A warning about a take, shown before it is sent. */
export type TakeWarning =
  | 'limit'
  | 'microphone-lost'
  | 'missed-in-background'
  | 'missed-while-held'
  | Exclude<LoudnessRating, 'good'>;

/** The fields that are sent with a take; its purpose determines which. */
export type SubmissionFields = Readonly<Record<string, string | number | null>>;

/**
 * Audio on this device (a take or a chosen file) that the server has not confirmed.
 *
 * - `recording`: being made, or cut off in the middle;
 * - `recorded`: complete, and not submitted yet;
 * - `queued`: submitted, and sent as soon as there is a connection;
 * - `refused`: the server has rejected it; `refusal` is the reason.
 */
export type StoredRecording = {
  /** Idempotency key: a UUID, sent to the server as `clientId`, so that sending twice creates one recording. */
  readonly id: string;
  readonly userId: string;
  /** 'recording', or for example 'reply 12' for a reply to recording 12. */
  readonly purpose: string;
  readonly state: 'recording' | 'recorded' | 'queued' | 'refused';
  readonly origin: 'recorded' | 'uploaded';
  readonly name: string;
  /** Media type of the audio. The recorder creates WAV. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Duration; null while unknown. */
  readonly seconds: number | null;
  /** Waveform as base64 of 200 bytes; null if there is none. */
  readonly peaks: string | null;
  /** Absent for a chosen file, and for a take that was cut off or was stored by an older version. */
  readonly notes?: readonly TakeWarning[];
  /** Fields that are sent with the take; before the take is queued, what has been typed so far, or null. */
  readonly sending: SubmissionFields | null;
  /**
   * Whether the server may already have created the recording, because the response to the request was lost.
   */
  readonly mayHaveArrived: boolean;
  readonly refusal: string | null;
};

export type NewStoredRecording = Pick<StoredRecording, 'userId' | 'purpose' | 'origin' | 'name' | 'type'> &
  Partial<Pick<StoredRecording, 'sending' | 'mayHaveArrived'>>;
