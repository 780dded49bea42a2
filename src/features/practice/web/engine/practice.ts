import { pageUser } from '#web/api/page-user.ts';
import { readLocalJson, writeLocal } from '#web/device/local-storage.ts';
import { type Loop, NO_LOOP, passage, setA } from '#web/audio/loop.ts';

/** Practice settings of a melody, stored on the device per user and melody. */
export type Practice = {
  /** 0.5 to 1.5, at the original pitch. */
  readonly rate: number;
  /** 0 to 1. */
  readonly volume: number;
  /** Number of times the loop plays; null for no limit. */
  readonly repeats: number | null;
  /** The student's turn after each round, as a multiple of the passage's length: 0 to 2. */
  readonly gap: number;
  readonly loop: Loop;
};

export const SLOWEST = 0.5;
export const FASTEST = 1.5;
export const RATE_STEP = 0.05;
export const LONGEST_GAP = 2;
export const GAP_STEP = 0.5;
export const MOST_REPEATS = 999;

export const NEW_PRACTICE: Practice = { rate: 1, volume: 0.7, repeats: null, gap: 0, loop: NO_LOOP };

/** Clamps a speed and rounds it to a step, without binary rounding errors. */
export const rateOnStep = (rate: number) =>
  Math.round(Math.min(FASTEST, Math.max(SLOWEST, rate)) / RATE_STEP) / Math.round(1 / RATE_STEP);

export const USUAL_RATES = [0.5, 0.75, 1] as const;
const USUAL_REPEATS = [3, 5, 7];

/** Returns the next slower of the usual speeds, or the original speed after the slowest. */
export const slowerThan = (rate: number) => USUAL_RATES.findLast((usual) => usual < rate) ?? 1;

/** Returns the next higher of the usual numbers of repeats, or no limit after the highest. */
export const moreThan = (repeats: number | null) =>
  USUAL_REPEATS.find((usual) => usual > (repeats ?? 0)) ?? null;

/** Parses the typed number of repeats. Returns null unless it is a whole number from 1 to 999. */
export function repeatsIn(typed: string): number | null {
  const times = /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : 0;
  return times >= 1 && times <= MOST_REPEATS ? times : null;
}

/**
 * Returns the stored settings of this user and melody, with defaults for invalid ones (edited storage, or audio that
 * was replaced).
 */
export function keptPractice(userId: string, melodyId: number, length: number): Practice {
  return practiceFrom(readLocalJson(keyOf(userId, melodyId)), length);
}

export function keepPractice(userId: string, melodyId: number, practice: Practice): void {
  const text = JSON.stringify(practice);
  writeLocal(keyOf(userId, melodyId), text === JSON.stringify(NEW_PRACTICE) ? null : text);
}

/**
 * The last practice of a melody: the index of the sung line (null if unknown), the speed, and the time it was last
 * heard.
 */
export type Practised = {
  readonly melodyId: number;
  readonly line: number | null;
  readonly rate: number;
  /** Unix time in milliseconds. */
  readonly at: number;
};

const MOST_PRACTISED = 10;

/** Returns the melodies that this page's user practised on this device: up to ten, newest first. */
export function lastPractised(): Practised[] {
  const userId = pageUser();
  return userId === null ? [] : practisedBy(userId);
}

export function notePractised(userId: string, practised: Omit<Practised, 'at'>): void {
  const others = practisedBy(userId).filter(({ melodyId }) => melodyId !== practised.melodyId);
  const noted = [{ ...practised, at: Date.now() }, ...others].slice(0, MOST_PRACTISED);
  writeLocal(`practised ${userId}`, JSON.stringify(noted));
}

function practisedBy(userId: string): Practised[] {
  const kept = readLocalJson(`practised ${userId}`);
  return Array.isArray(kept) ? kept.filter(isPractised).slice(0, MOST_PRACTISED) : [];
}

function isPractised(value: unknown): value is Practised {
  const { melodyId, line, rate, at } = recordOf(value);
  return (
    isWithin(melodyId, 1, Infinity) &&
    (line === null || isWithin(line, 0, Infinity)) &&
    isWithin(rate, SLOWEST, FASTEST) &&
    isWithin(at, 0, Infinity)
  );
}

/** Validates each setting separately, so that an invalid one does not discard the others. */
export function practiceFrom(kept: unknown, length: number): Practice {
  const { rate, volume, repeats, gap, loop } = recordOf(kept);
  const { rate: asNew, ...rest } = NEW_PRACTICE;
  return {
    rate: isWithin(rate, SLOWEST, FASTEST) ? rateOnStep(rate) : asNew,
    volume: isWithin(volume, 0, 1) ? volume : rest.volume,
    repeats: isWithin(repeats, 1, MOST_REPEATS) && Number.isInteger(repeats) ? repeats : rest.repeats,
    gap: isWithin(gap, 0, LONGEST_GAP) && Number.isInteger(gap / GAP_STEP) ? gap : rest.gap,
    loop: loopFrom(recordOf(loop), length),
  };
}

function loopFrom({ a, b }: Record<string, unknown>, length: number): Loop {
  if (!isWithin(a, 0, length)) return NO_LOOP;
  if (b === undefined) return setA(a);
  return isWithin(b, 0, length) ? (passage(a, b, length) ?? NO_LOOP) : NO_LOOP;
}

const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && value >= low && value <= high;

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const keyOf = (userId: string, melodyId: number) => `practice ${userId} ${melodyId}`;
