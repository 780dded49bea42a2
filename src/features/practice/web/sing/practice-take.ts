import type { SubmissionFields, StoredRecording } from '#web/audio/stored-recording.ts';

/** The passage of the melody that was sung, and how a take lines up with it. */
export type TakePassage = {
  /** Start (`a`) and end (`b`) in the melody, in seconds. */
  readonly a: number;
  readonly b: number;
  /** Playback rate of the melody during the take. */
  readonly rate: number;
  /** Seconds into the take at which the melody is at `a`. */
  readonly offset: number;
};

/** Maximum number of practice takes of one melody stored on a device. */
export const MAX_PRACTICE_TAKES = 10;

/**
 * Returns the purpose of takes that the student keeps for themselves. Takes with this purpose are never sent.
 */
export const getPracticeTakePurpose = (melodyId: number) => `practice ${melodyId}`;

/** Converts a passage to the form stored with its take. */
export const serializeTakePassage = ({ a, b, rate, offset }: TakePassage): SubmissionFields => ({
  a,
  b,
  rate,
  offset,
});

/** Reads the passage of a take. Returns null if it is missing or invalid. */
export function parseTakePassage({ sending }: Pick<StoredRecording, 'sending'>): TakePassage | null {
  const { a, b, rate, offset } = sending ?? {};
  const isUsable =
    isSeconds(a) && isSeconds(b) && b > a && isSeconds(offset) && isSeconds(rate) && rate > 0.1 && rate < 4;
  return isUsable ? { a, b, rate, offset } : null;
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
