import { useSyncExternalStore } from 'react';
import { createEventEmitter } from '../store.ts';

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, days: number][] = [
  ['year', 365.25],
  ['month', 30.4375],
  ['week', 7],
];

const DAY_MS = 86_400_000;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** Shows '2 hours ago', with the exact time on hover and for screen readers. */
export function TimeAgo({ time, className }: { time: string; className?: string }) {
  const moment = new Date(time);
  const now = useNow();
  return (
    <time dateTime={time} title={exact.format(moment)} className={className}>
      {formatTimeAgo(moment, new Date(now))}
      <span className="sr-only"> ({exact.format(moment)})</span>
    </time>
  );
}

const TICK_MS = 30_000;
const { subscribe, notify, isWatched } = createEventEmitter();
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

/**
 * Returns the current time, updated every TICK_MS. It is the same for the whole page, because a list and its
 * open card must not show different times.
 */
export const useNow = () => useSyncExternalStore(subscribeToTick, getCurrentTime, getCurrentTime);

function getCurrentTime() {
  // Updates `now` here if there is no subscriber, because then no timer updates it.
  if (!isWatched() && Date.now() - now >= TICK_MS) now = Date.now();
  return now;
}

function subscribeToTick(listener: () => void) {
  const unsubscribe = subscribe(listener);
  ticking ??= setInterval(() => {
    now = Date.now();
    notify();
  }, TICK_MS);
  return () => {
    unsubscribe();
    if (isWatched()) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** Shows 'November 20, 2026', with the time on hover. */
export function ExactDate({ time, className }: { time: string; className?: string }) {
  const moment = new Date(time);
  return (
    <time dateTime={time} title={exact.format(moment)} className={className}>
      {day.format(moment)}
    </time>
  );
}

/**
 * Formats a time relative to `now`: 'just now' within a minute, minutes or hours within a day, then calendar
 * days in the reader's time zone, so that 'yesterday' is the day before today. Longer times are in weeks,
 * months or years.
 */
export function formatTimeAgo(moment: Date, now = new Date()) {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1000);
  const days = getDayNumber(moment) - getDayNumber(now);
  if (Math.abs(seconds) < 60) return 'just now';
  if (Math.abs(seconds) < 3_600) return relative.format(Math.trunc(seconds / 60), 'minute');
  if (Math.abs(seconds) < 86_400 && Math.abs(days) < 2)
    return relative.format(Math.trunc(seconds / 3_600), 'hour');
  const [unit, length] = UNITS.find(([, length]) => Math.abs(days) >= length) ?? ['day', 1];
  return relative.format(Math.trunc(days / length), unit);
}

/**
 * Returns the number of the calendar day. Days can't be counted in hours, because daylight saving time makes
 * some days shorter or longer.
 */
const getDayNumber = (moment: Date) =>
  Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY_MS;
