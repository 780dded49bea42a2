import type { SoundCopy } from '#shared/media.ts';
import { readLocal, writeLocal } from '../device/local-storage.ts';
import { createStore, type Readable } from '../store.ts';

// The one place that decides in which form a sound is fetched: as it was sent, or one of its copies.

/** A sound that is stored on the server, and the copies that there are of it. */
export type StoredSound = { name: string; copies: readonly SoundCopy[] };

export const SOUND_SETTINGS = ['automatic', 'small', 'full'] as const;
export type SoundSetting = (typeof SOUND_SETTINGS)[number];

/** What a browser knows of its connection; Safari and Firefox know less. */
export type ConnectionSeen = {
  network: { saveData?: boolean; effectiveType?: string } | undefined;
  /** What the page has fetched, with times in milliseconds. */
  fetched: readonly Pick<PerformanceResourceTiming, 'transferSize' | 'responseStart' | 'responseEnd'>[];
  now: number;
  /** When a sound last ran dry while it played; null if none has. */
  ranDryAt: number | null;
};

const SLOW_NETWORKS = new Set(['slow-2g', '2g', '3g']);
/** A stereo WAV needs as much; a small copy plays at a twentieth of it. */
const ENOUGH_BITS_PER_SECOND = 1_500_000;
/** Less says more about the server and the latency than about the connection. */
const TELLING_BYTES = 30_000;
const REMEMBERED_MS = 10 * 60_000;

/** Whether the connection is too poor for sound as it was sent, or its user spares it. */
export function isPoor({ network, fetched, now, ranDryAt }: ConnectionSeen): boolean {
  if (network?.saveData || SLOW_NETWORKS.has(network?.effectiveType ?? '')) return true;
  if (ranDryAt !== null && now - ranDryAt < REMEMBERED_MS) return true;
  const measured = bitsPerSecond(fetched.filter(({ responseEnd }) => now - responseEnd < REMEMBERED_MS));
  return measured !== null && measured < ENOUGH_BITS_PER_SECOND;
}

/** Over the time in which anything came, since several things share the connection; null if too little has come. */
function bitsPerSecond(fetched: ConnectionSeen['fetched']): number | null {
  // What a cache gave has no size, or took no time.
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
  return bytes < TELLING_BYTES || milliseconds <= 0 ? null : (bytes * 8_000) / milliseconds;
}

/** Which copy is fetched; null for the sound as it was sent. */
export function copyFor(
  copies: readonly SoundCopy[],
  setting: SoundSetting,
  isPoorNow: () => boolean,
): SoundCopy | null {
  const wantsSmall = setting === 'small' || (setting === 'automatic' && isPoorNow());
  if (wantsSmall && copies.includes('small')) return 'small';
  return copies.includes('full') ? 'full' : null;
}

const KEY = 'sound';
const setting = createStore(SOUND_SETTINGS.find((each) => each === readLocal(KEY)) ?? 'automatic');
const choices = createStore(0);
let ranDryAt: number | null = null;
let kept: ReadonlyMap<string, SoundCopy | null> = new Map();

export const soundSetting: Readable<SoundSetting> = setting;

/** A number that changes whenever a sound may now be fetched in another form than before. */
export const soundChoices: Readable<number> = choices;

const chooseAnew = () => choices.set(choices.get() + 1);

/** Changes it on this device, at once and for later visits. */
export function chooseSound(chosen: SoundSetting) {
  setting.set(chosen);
  writeLocal(KEY, chosen);
  chooseAnew();
}

/** Which sounds this device keeps, and in which form: they are heard from there, whatever the connection. */
export function noteKeptSounds(now: typeof kept) {
  const isSame = now.size === kept.size && [...now].every(([name, copy]) => kept.get(name) === copy);
  kept = now;
  if (!isSame) chooseAnew();
}

/** In which form this device keeps a sound; null if it does not. */
export function keptAs(name: string): { copy: SoundCopy | null } | null {
  const copy = kept.get(name);
  return copy === undefined ? null : { copy };
}

/**
 * To be called when an element waits for sound. Not at its beginning nor after a seek, where every connection waits a
 * moment.
 */
export function noteWaiting(element: Pick<HTMLMediaElement, 'seeking' | 'currentTime' | 'paused'>) {
  if (element.seeking || element.paused || element.currentTime === 0) return;
  ranDryAt = performance.now();
  chooseAnew();
}

type WithNetwork = Navigator & { connection?: ConnectionSeen['network'] };

/** The copy to fetch of a sound at this moment; null for the sound as it was sent. */
export function copyNow({ name, copies }: StoredSound): SoundCopy | null {
  const here = keptAs(name);
  if (here) return here.copy;
  return copyFor(copies, setting.get(), () =>
    isPoor({
      network: (navigator as WithNetwork).connection,
      fetched: performance.getEntriesByType('resource') as PerformanceResourceTiming[],
      now: performance.now(),
      ranDryAt,
    }),
  );
}
