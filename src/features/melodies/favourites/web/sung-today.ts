import { readLocalStorage, writeLocalStorage } from '#web/device/local-storage.ts';
import { createEventEmitter } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { formatIsoDate } from '#web/ui/format-iso-date.ts';
import { MAX_REPETITIONS_PER_MELODY } from '../limits.ts';
import type { SungCounts } from '../todays-list.ts';

/**
 * Reads the counts for a day from stored data. Ignores other days and values that are not positive integers.
 */
export function parseSungCounts(kept: unknown, day: string): SungCounts {
  if (typeof kept !== 'object' || kept === null || !('day' in kept) || kept.day !== day) return NONE_SUNG;
  const sung = 'sung' in kept && typeof kept.sung === 'object' ? Object.entries(kept.sung ?? {}) : [];
  return Object.fromEntries(
    sung.filter(([id, times]) => /^\d{1,9}$/.test(id) && Number.isInteger(times) && times > 0),
  );
}

/** Returns how many times this user sang each melody today on this device. */
export const getTodaysSungCounts = (userId: string): SungCounts => getSnapshot(getStorageKey(userId));

export const useTodaysSungCounts = (userId: string): SungCounts =>
  useStore({ subscribe, get: () => getTodaysSungCounts(userId) });

export const incrementSungCount = (userId: string, melodyId: number) =>
  setSungCount(userId, melodyId, (getTodaysSungCounts(userId)[melodyId] ?? 0) + 1);

/** Sets how many times this user has sung the melody today. */
export function setSungCount(userId: string, melodyId: number, times: number) {
  const { [melodyId]: _, ...others } = getTodaysSungCounts(userId);
  // Limits the count to the maximum that a student can plan. A higher count would make no difference.
  const sung = times > 0 ? { ...others, [melodyId]: Math.min(times, MAX_REPETITIONS_PER_MELODY) } : others;
  const text = JSON.stringify({ day: formatIsoDate(new Date()), sung });
  if (writeLocalStorage(getStorageKey(userId), text)) unsavedCounts.delete(getStorageKey(userId));
  else unsavedCounts.set(getStorageKey(userId), text);
  changes.notify();
}

const NONE_SUNG: SungCounts = {};
const unsavedCounts = new Map<string, string>();
const changes = createEventEmitter();
const getStorageKey = (userId: string) => `sung today ${userId}`;

function subscribe(listener: () => void) {
  const leave = changes.subscribe(listener);
  addEventListener('storage', listener);
  return () => {
    leave();
    removeEventListener('storage', listener);
  };
}

let last: { of: string; sung: SungCounts } | null = null;

/** Returns the same object until a count changes or a new day begins. */
function getSnapshot(key: string): SungCounts {
  const text = unsavedCounts.get(key) ?? readLocalStorage(key);
  const day = formatIsoDate(new Date());
  const storageKey = `${key} ${day} ${text}`;
  if (last?.of !== storageKey) last = { of: storageKey, sung: parseSungCounts(parseJson(text), day) };
  return last.sung;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
