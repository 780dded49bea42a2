import type { Loudness } from '../audio/loudness.ts';

/** What its singer should know of a take before sending it. */
export type TakeNote = 'limit' | 'microphone-lost' | 'missed-in-background' | Exclude<Loudness, 'good'>;

/** What goes along with a take when it is sent; its purpose says which fields these are. */
export type Sending = Readonly<Record<string, string | number | null>>;

/**
 * A recording on this device that the server has not confirmed.
 *
 * - `recording`: being made, or cut off in the middle;
 * - `recorded`: made, and not yet sent off by its person;
 * - `queued`: sent off, and on its way as soon as there is a line;
 * - `refused`: the server will not take it as it is; `refusal` says why.
 */
export type StoredRecording = {
  /** A UUID; the server knows the recording by it as `clientId`, so that sending twice makes one. */
  readonly id: string;
  readonly userId: string;
  /** What it is for: 'recording', or the reply to one, 'reply 12'. */
  readonly purpose: string;
  readonly state: 'recording' | 'recorded' | 'queued' | 'refused';
  readonly origin: 'recorded' | 'uploaded';
  readonly name: string;
  /** Media type of a file; what is recorded is WAV. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Null while it is not known. */
  readonly seconds: number | null;
  /** Base64 of 200 bytes, or null. */
  readonly peaks: string | null;
  /** Absent while it is not known: of a take that was cut off, and of what an older version kept. */
  readonly notes?: readonly TakeNote[];
  /** What it is sent with once it is queued; before, what was typed beside it so far. Null while nothing was. */
  readonly sending: Sending | null;
  /** The server has been asked to make a recording of it; whether it did, nobody may have heard. */
  readonly mayHaveArrived: boolean;
  readonly refusal: string | null;
};

export type NewStoredRecording = Pick<StoredRecording, 'userId' | 'purpose' | 'origin' | 'name' | 'type'> &
  Partial<Pick<StoredRecording, 'sending'>>;
