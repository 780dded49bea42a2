import type { Sending, StoredRecording } from '#web/audio/stored-recording.ts';

/** What was sung, and how a take of it lies beside the melody. */
export type SungPassage = {
  /** Seconds of the melody. */
  readonly a: number;
  readonly b: number;
  /** How fast the melody ran meanwhile. */
  readonly rate: number;
  /** Seconds of the take at which the melody is at `a`. */
  readonly offset: number;
};

/** The most takes of one melody that are kept on a device for practice. */
export const MOST_TAKES = 10;

/** The purpose of a take that is for oneself alone: nothing sends it. */
export const practiceOf = (melodyId: number) => `practice ${melodyId}`;

/** As it is stored with the take. */
export const sungAs = ({ a, b, rate, offset }: SungPassage): Sending => ({ a, b, rate, offset });

/** Null for a take that says nothing usable of it. */
export function passageOf({ sending }: Pick<StoredRecording, 'sending'>): SungPassage | null {
  const { a, b, rate, offset } = sending ?? {};
  const isUsable =
    isSeconds(a) && isSeconds(b) && b > a && isSeconds(offset) && isSeconds(rate) && rate > 0.1 && rate < 4;
  return isUsable ? { a, b, rate, offset } : null;
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
