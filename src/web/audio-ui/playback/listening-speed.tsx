import { useEffect } from 'react';
import { readLocalStorage, writeLocalStorage } from '#web/device/local-storage.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;
export type ListeningSpeed = (typeof SPEEDS)[number];

const KEY = 'listening-speed';

const toKnownSpeed = (value: number): ListeningSpeed => SPEEDS.find((each) => each === value) ?? 1;

const speed = createStore<ListeningSpeed>(1);
speed.set(toKnownSpeed(Number(readLocalStorage(KEY))));

/**
 * Returns the listening speed. All players with a speed choice use the same speed, which is stored on this
 * device.
 */
export const useListeningSpeed = (): ListeningSpeed => useStore(speed);

/** Sets a player's speed, with the pitch preserved. */
export function useApplyPlaybackSpeed(audio: HTMLAudioElement | null, wanted: number) {
  useEffect(() => {
    if (audio) setSpeed(audio, wanted);
  }, [audio, wanted]);
}

function setSpeed(audio: HTMLAudioElement, wanted: number) {
  audio.preservesPitch = true;
  // Sets the default rate too, because reloading the audio resets the rate to the default.
  audio.defaultPlaybackRate = wanted;
  audio.playbackRate = wanted;
}

/** Changes to the next higher (1) or lower (-1) speed, if there is one. */
export function stepListeningSpeed(by: 1 | -1) {
  const next = SPEEDS[SPEEDS.indexOf(speed.get()) + by];
  if (next) chooseSpeed(next);
}

/** @param title title of the audio, for the label */
export function ListeningSpeedSelect({ title }: { title: string }) {
  const chosen = useListeningSpeed();
  return (
    <label className="flex items-center gap-2 text-sm text-soft">
      <span className="@max-[52rem]:hidden">Speed</span>
      <select
        aria-label={`Speed of ${title}`}
        value={chosen}
        onChange={(event) => chooseSpeed(Number(event.target.value))}
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

function chooseSpeed(next: number) {
  speed.set(toKnownSpeed(next));
  writeLocalStorage(KEY, String(speed.get()));
}
