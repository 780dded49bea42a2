import type { SoundCopy } from '#shared/media.ts';
import { readLocalStorage, writeLocalStorage } from '../device/local-storage.ts';
import { createStore, type ReadableStore } from '../store.ts';

// Only this module decides whether the original of an audio file or one of its copies is fetched.

/** An audio file on the server, and its available copies. */
export type SoundFile = { name: string; copies: readonly SoundCopy[] };

export const AUDIO_QUALITY_CHOICES = ['automatic', 'small', 'full'] as const;
export type AudioQualityChoice = (typeof AUDIO_QUALITY_CHOICES)[number];

/** The browser's information about its connection. Safari and Firefox do not provide `network`. */
export type ConnectionStats = {
  network: { saveData?: boolean; effectiveType?: string } | undefined;
  /** The page's requests, with times in milliseconds. */
  fetched: readonly Pick<PerformanceResourceTiming, 'transferSize' | 'responseStart' | 'responseEnd'>[];
  now: number;
  /** When playback last ran out of data, on the same clock as `now`; null if it never has. */
  ranDryAt: number | null;
};

const SLOW_NETWORKS = new Set(['slow-2g', '2g', '3g']);
/**
 * Bandwidth below which a connection counts as poor: the bit rate of a stereo WAV. A small copy needs a
 * twentieth.
 */
const MIN_GOOD_BITS_PER_SECOND = 1_500_000;
/**
 * Minimum download size for measuring the bandwidth. The speed of smaller downloads depends on the server and
 * the latency.
 */
const MIN_MEASURED_BYTES = 30_000;
const RAN_DRY_TTL_MS = 10 * 60_000;

/** Returns whether the connection is too poor for the original audio, or the user wants to save data. */
export function isPoorConnection({ network, fetched, now, ranDryAt }: ConnectionStats): boolean {
  if (network?.saveData || SLOW_NETWORKS.has(network?.effectiveType ?? '')) return true;
  if (ranDryAt !== null && now - ranDryAt < RAN_DRY_TTL_MS) return true;
  const measured = measureBitsPerSecond(
    fetched.filter(({ responseEnd }) => now - responseEnd < RAN_DRY_TTL_MS),
  );
  return measured !== null && measured < MIN_GOOD_BITS_PER_SECOND;
}

/**
 * Returns the bit rate of all requests together, over the time in which at least one received data; null if too
 * little arrived. Concurrent requests share the connection, so the rate of a single one would be too low.
 */
function measureBitsPerSecond(fetched: ConnectionStats['fetched']): number | null {
  // Leaves out responses from a cache, which have no transfer size or no start time.
  const came = fetched
    .filter(({ transferSize, responseStart }) => transferSize > 0 && responseStart > 0)
    .sort((one, other) => one.responseStart - other.responseStart);
  let bytes = 0;
  let milliseconds = 0;
  let until = 0;
  for (const { transferSize, responseStart, responseEnd } of came) {
    bytes += transferSize;
    milliseconds += Math.max(0, responseEnd - Math.max(until, responseStart));
    until = Math.max(until, responseEnd);
  }
  return bytes < MIN_MEASURED_BYTES || milliseconds <= 0 ? null : (bytes * 8_000) / milliseconds;
}

/** Returns which copy to fetch; null for the original. */
export function chooseSoundCopy(
  copies: readonly SoundCopy[],
  setting: AudioQualityChoice,
  isPoorNow: () => boolean,
): SoundCopy | null {
  const wantsSmall = setting === 'small' || (setting === 'automatic' && isPoorNow());
  if (wantsSmall && copies.includes('small')) return 'small';
  return copies.includes('full') ? 'full' : null;
}

const KEY = 'sound';
const setting = createStore(
  AUDIO_QUALITY_CHOICES.find((each) => each === readLocalStorage(KEY)) ?? 'automatic',
);
const choices = createStore(0);
let ranDryAt: number | null = null;
let storedSounds: ReadonlyMap<string, SoundCopy | null> = new Map();

export const audioQuality: ReadableStore<AudioQualityChoice> = setting;

/** Counter that changes whenever the choice of copy may have changed. */
export const soundChoiceVersion: ReadableStore<number> = choices;

const notifyChoices = () => choices.set(choices.get() + 1);

/** Sets the audio quality on this device, and stores it for later visits. */
export function setAudioQuality(chosen: AudioQualityChoice) {
  setting.set(chosen);
  writeLocalStorage(KEY, chosen);
  notifyChoices();
}

/**
 * Sets which audio files are stored on this device, and in which form. They are played from the device,
 * whatever the connection.
 */
export function setDeviceSounds(now: typeof storedSounds) {
  const isSame =
    now.size === storedSounds.size && [...now].every(([name, copy]) => storedSounds.get(name) === copy);
  storedSounds = now;
  if (!isSame) notifyChoices();
}

/** Returns the form in which this device stores an audio file; null if it is not stored. */
export function getDeviceCopy(name: string): { copy: SoundCopy | null } | null {
  const copy = storedSounds.get(name);
  return copy === undefined ? null : { copy };
}

/**
 * Makes the connection count as poor for RAN_DRY_TTL_MS, because playback has run out of data. Ignores waits
 * at the start and after a seek, which happen on every connection.
 */
export function reportUnderrun(element: Pick<HTMLMediaElement, 'seeking' | 'currentTime' | 'paused'>) {
  if (element.seeking || element.paused || element.currentTime === 0) return;
  ranDryAt = performance.now();
  notifyChoices();
}

type WithNetwork = Navigator & { connection?: ConnectionStats['network'] };

/**
 * Returns which copy of an audio file to use: the stored one if the file is on this device, otherwise the one
 * for the setting and the current connection; null for the original.
 */
export function chooseSoundCopyForConnection({ name, copies }: SoundFile): SoundCopy | null {
  const storedCopy = getDeviceCopy(name);
  if (storedCopy) return storedCopy.copy;
  return chooseSoundCopy(copies, setting.get(), () =>
    isPoorConnection({
      network: (navigator as WithNetwork).connection,
      fetched: performance.getEntriesByType('resource') as PerformanceResourceTiming[],
      now: performance.now(),
      ranDryAt,
    }),
  );
}
