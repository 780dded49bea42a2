import { getPageUserId } from '#web/api/page-user.ts';
import { readLocalStorageJson, writeLocalStorage } from '#web/device/local-storage.ts';
import { type Loop, NO_LOOP, createLoop, setLoopA } from '#web/audio/loop.ts';

/** Practice settings of a melody, stored on the device per user and melody. */
export type PracticeSettings = {
  /** Playback speed, from 0.5 to 1.5. The pitch stays the same. */
  readonly rate: number;
  /** 0 to 1. */
  readonly volume: number;
  /** Number of times the loop plays; null for no limit. */
  readonly repeats: number | null;
  /** The student's turn after each round, as a multiple of the passage's duration: 0 to 2. */
  readonly gap: number;
  readonly loop: Loop;
};

export const MIN_PLAYBACK_RATE = 0.5;
export const MAX_PLAYBACK_RATE = 1.5;
export const PLAYBACK_RATE_STEP = 0.05;
export const MAX_GAP_FACTOR = 2;
export const GAP_FACTOR_STEP = 0.5;
export const MAX_REPEATS = 999;

export const DEFAULT_PRACTICE_SETTINGS: PracticeSettings = {
  rate: 1,
  volume: 0.7,
  repeats: null,
  gap: 0,
  loop: NO_LOOP,
};

/** Clamps a speed and rounds it to a step, without binary rounding errors. */
export const roundPlaybackRate = (rate: number) =>
  Math.round(Math.min(MAX_PLAYBACK_RATE, Math.max(MIN_PLAYBACK_RATE, rate)) / PLAYBACK_RATE_STEP) /
  Math.round(1 / PLAYBACK_RATE_STEP);

export const PLAYBACK_RATE_PRESETS = [0.5, 0.75, 1] as const;
const REPEAT_PRESETS = [3, 5, 7];

/** Returns the next slower preset, or the original speed after the slowest. */
export const getNextRatePreset = (rate: number) =>
  PLAYBACK_RATE_PRESETS.findLast((usual) => usual < rate) ?? 1;

/** Returns the next higher preset for repeats, or null (no limit) after the highest. */
export const getNextRepeatsPreset = (repeats: number | null) =>
  REPEAT_PRESETS.find((usual) => usual > (repeats ?? 0)) ?? null;

/** Parses the typed number of repeats. Returns null unless it is a whole number from 1 to 999. */
export function parseRepeats(typed: string): number | null {
  const times = /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : 0;
  return times >= 1 && times <= MAX_REPEATS ? times : null;
}

/**
 * Returns the settings stored for this user and melody. Invalid settings, caused by edited storage or
 * replaced audio, fall back to their defaults.
 */
export function loadPracticeSettings(userId: string, melodyId: number, length: number): PracticeSettings {
  return parsePracticeSettings(readLocalStorageJson(getKey(userId, melodyId)), length);
}

export function savePracticeSettings(userId: string, melodyId: number, practice: PracticeSettings): void {
  const text = JSON.stringify(practice);
  writeLocalStorage(
    getKey(userId, melodyId),
    text === JSON.stringify(DEFAULT_PRACTICE_SETTINGS) ? null : text,
  );
}

/**
 * Last practice of a melody: index of the sung line (null if unknown), speed, and the time when it was last
 * heard.
 */
export type PractisedMelodyRecord = {
  readonly melodyId: number;
  readonly line: number | null;
  readonly rate: number;
  /** Unix time in milliseconds. */
  readonly at: number;
};

const MAX_PRACTISED = 10;

/**
 * Returns the melodies that this page's user practised last on this device: up to ten, newest first. Empty
 * for visitors.
 */
export function listLastPractisedMelodies(): PractisedMelodyRecord[] {
  const userId = getPageUserId();
  return userId === null ? [] : loadPractised(userId);
}

export function saveLastPractisedMelody(userId: string, practised: Omit<PractisedMelodyRecord, 'at'>): void {
  const others = loadPractised(userId).filter(({ melodyId }) => melodyId !== practised.melodyId);
  const noted = [{ ...practised, at: Date.now() }, ...others].slice(0, MAX_PRACTISED);
  writeLocalStorage(`practised ${userId}`, JSON.stringify(noted));
}

function loadPractised(userId: string): PractisedMelodyRecord[] {
  const kept = readLocalStorageJson(`practised ${userId}`);
  return Array.isArray(kept) ? kept.filter(isPractised).slice(0, MAX_PRACTISED) : [];
}

function isPractised(value: unknown): value is PractisedMelodyRecord {
  const { melodyId, line, rate, at } = toRecord(value);
  return (
    isWithin(melodyId, 1, Infinity) &&
    (line === null || isWithin(line, 0, Infinity)) &&
    isWithin(rate, MIN_PLAYBACK_RATE, MAX_PLAYBACK_RATE) &&
    isWithin(at, 0, Infinity)
  );
}

/** Validates each setting separately, so that an invalid one does not discard the others. */
export function parsePracticeSettings(kept: unknown, length: number): PracticeSettings {
  const { rate, volume, repeats, gap, loop } = toRecord(kept);
  const { rate: asNew, ...rest } = DEFAULT_PRACTICE_SETTINGS;
  return {
    rate: isWithin(rate, MIN_PLAYBACK_RATE, MAX_PLAYBACK_RATE) ? roundPlaybackRate(rate) : asNew,
    volume: isWithin(volume, 0, 1) ? volume : rest.volume,
    repeats: isWithin(repeats, 1, MAX_REPEATS) && Number.isInteger(repeats) ? repeats : rest.repeats,
    gap: isWithin(gap, 0, MAX_GAP_FACTOR) && Number.isInteger(gap / GAP_FACTOR_STEP) ? gap : rest.gap,
    loop: parseLoop(toRecord(loop), length),
  };
}

function parseLoop({ a, b }: Record<string, unknown>, length: number): Loop {
  if (!isWithin(a, 0, length)) return NO_LOOP;
  if (b === undefined) return setLoopA(a);
  return isWithin(b, 0, length) ? (createLoop(a, b, length) ?? NO_LOOP) : NO_LOOP;
}

const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && value >= low && value <= high;

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const getKey = (userId: string, melodyId: number) => `practice ${userId} ${melodyId}`;
