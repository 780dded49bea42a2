import type { Loudness } from './loudness.ts';

/** A warning about a take, shown before it is sent. */
export type TakeNote =
  | 'limit'
  | 'microphone-lost'
  | 'missed-in-background'
  | 'missed-while-held'
  | Exclude<Loudness, 'good'>;

/** The fields that are sent with a take; its purpose determines which. */
export type SendingFields = Readonly<Record<string, string | number | null>>;

/**
 * A recording on this device that the server has not confirmed.
 *
 * - `recording`: being made, or cut off in the middle;
 * - `recorded`: complete, and not submitted yet;
 * - `queued`: submitted, and sent as soon as there is a connection;
 * - `refused`: the server does not accept it as it is; `refusal` says why.
 */
export type StoredRecording = {
  /** A UUID, sent to the server as `clientId`: an idempotency key, so that sending twice makes one recording. */
  readonly id: string;
  readonly userId: string;
  /** Purpose of the take: 'recording', or the reply to one, 'reply 12'. */
  readonly purpose: string;
  readonly state: 'recording' | 'recorded' | 'queued' | 'refused';
  readonly origin: 'recorded' | 'uploaded';
  readonly name: string;
  /** Media type of the sound; recorded sound is WAV. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Null while unknown. */
  readonly seconds: number | null;
  /** Base64 of 200 bytes, or null. */
  readonly peaks: string | null;
  /** Absent while unknown: for a take that was cut off, or was stored by an older version. */
  readonly notes?: readonly TakeNote[];
  /** Sent with the take once it is queued; until then, what has been typed so far. Null if nothing has. */
  readonly sending: SendingFields | null;
  /** The server has been asked to make a recording of the take, and its response may have been lost. */
  readonly mayHaveArrived: boolean;
  readonly refusal: string | null;
};

export type NewStoredRecording = Pick<StoredRecording, 'userId' | 'purpose' | 'origin' | 'name' | 'type'> &
  Partial<Pick<StoredRecording, 'sending' | 'mayHaveArrived'>>;
