import { readLocal, writeLocal } from '#web/device/local-storage.ts';
import { createListeners } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import { dayOf } from '#web/ui/day.ts';
import { TIMES_MAX } from '../limits.ts';
import type { Sung } from '../todays-list.ts';

/** Reads the counts for a day from stored data. Ignores other days and values that are not positive integers. */
export function sungOn(kept: unknown, day: string): Sung {
  if (typeof kept !== 'object' || kept === null || !('day' in kept) || kept.day !== day) return NOTHING;
  const sung = 'sung' in kept && typeof kept.sung === 'object' ? Object.entries(kept.sung ?? {}) : [];
  return Object.fromEntries(
    sung.filter(([id, times]) => /^\d{1,9}$/.test(id) && Number.isInteger(times) && times > 0),
  );
}

/** Returns how many times this user sang each melody today on this device. */
export const sungToday = (userId: string): Sung => snapshotOf(keyOf(userId));

export const useSungToday = (userId: string): Sung => useStore({ subscribe, get: () => sungToday(userId) });

export const noteSung = (userId: string, melodyId: number) =>
  setSung(userId, melodyId, (sungToday(userId)[melodyId] ?? 0) + 1);

/** Sets the count when the student ticks or unticks the melody. */
export function setSung(userId: string, melodyId: number, times: number) {
  const { [melodyId]: _, ...others } = sungToday(userId);
  // At most this many times can be planned, so a higher count changes nothing.
  const sung = times > 0 ? { ...others, [melodyId]: Math.min(times, TIMES_MAX) } : others;
  const text = JSON.stringify({ day: dayOf(new Date()), sung });
  if (writeLocal(keyOf(userId), text)) unkept.delete(keyOf(userId));
  else unkept.set(keyOf(userId), text);
  changes.notify();
}

const NOTHING: Sung = {};
const unkept = new Map<string, string>();
const changes = createListeners();
const keyOf = (userId: string) => `sung today ${userId}`;

function subscribe(listener: () => void) {
  const leave = changes.subscribe(listener);
  addEventListener('storage', listener);
  return () => {
    leave();
    removeEventListener('storage', listener);
  };
}

let last: { of: string; sung: Sung } | null = null;

/** Returns the same object until another melody was sung or another day has begun. */
function snapshotOf(key: string): Sung {
  const text = unkept.get(key) ?? readLocal(key);
  const day = dayOf(new Date());
  const of = `${key} ${day} ${text}`;
  if (last?.of !== of) last = { of, sung: sungOn(parsed(text), day) };
  return last.sung;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
