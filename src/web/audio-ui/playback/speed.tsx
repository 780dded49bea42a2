import { useEffect, useSyncExternalStore } from 'react';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;
export type Speed = (typeof SPEEDS)[number];

const KEY = 'listening-speed';

let speed: Speed | undefined;
const listeners = new Set<() => void>();

/** The listening speed, shared by all players that offer it and stored on this device. */
export const useSpeed = (): Speed => useSyncExternalStore(subscribe, present, () => 1);

/** Makes a player play at this speed, with the pitch preserved. */
export function useSpeedOf(audio: HTMLAudioElement | null, wanted: number) {
  useEffect(() => {
    if (audio) setSpeed(audio, wanted);
  }, [audio, wanted]);
}

function setSpeed(audio: HTMLAudioElement, wanted: number) {
  audio.preservesPitch = true;
  // Reloading falls back to the default.
  audio.defaultPlaybackRate = wanted;
  audio.playbackRate = wanted;
}

/** To the next speed in this direction, if there is one. */
export function stepSpeed(by: 1 | -1) {
  const next = SPEEDS[SPEEDS.indexOf(present()) + by];
  if (next) choose(next);
}

/** @param of what is played, for the label */
export function SpeedChoice({ of }: { of: string }) {
  const chosen = useSpeed();
  return (
    <label className="flex items-center gap-2 text-sm text-soft">
      Speed
      <select
        aria-label={`Speed of ${of}`}
        value={chosen}
        onChange={(event) => choose(Number(event.target.value))}
        className="h-11 rounded-md border border-edge bg-surface px-2 text-ink tabular-nums"
      >
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
    </label>
  );
}

function choose(next: number) {
  speed = known(next);
  try {
    localStorage.setItem(KEY, String(speed));
  } catch {
    // Remembered by this page only.
  }
  listeners.forEach((listener) => listener());
}

function present(): Speed {
  return (speed ??= known(Number(kept())));
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const known = (value: number): Speed => SPEEDS.find((each) => each === value) ?? 1;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
