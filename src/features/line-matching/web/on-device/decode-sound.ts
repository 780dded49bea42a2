import { soundAddress } from '#web/audio/sound-address.ts';
import { keptAs, type StoredSound } from '#web/audio/sound-choice.ts';

/** In this page, or at an address of this server. */
export type AnySound = Blob | string;

/** It can't be fetched now. */
export class SoundUnreachable extends Error {}
/** This browser does not read it. */
export class SoundUnreadable extends Error {}

/** The rate at which sounds are compared, so that none is resampled twice. */
const RATE = 16_000;

/** Decoded at this rate, ten minutes in stereo take 77 MB; more is not worth a phone's memory. */
export const LONGEST_SECONDS = 10 * 60;

const FILE = /^\/api\/files\/([^/?]+)\?/;

/** The smallest form of a sound: its quality is not what is listened for. */
export function smallestOf({ name, copies }: StoredSound): string {
  if (name.startsWith('/')) return name;
  const [copy = null] = (['small', 'full'] as const).filter((each) => copies.includes(each));
  return soundAddress(name, keptAs(name)?.copy ?? copy);
}

/**
 * The sound in samples.
 * @throws SoundUnreachable, SoundUnreadable; what the signal was aborted with
 */
export async function decodeSound(sound: AnySound, signal: AbortSignal): Promise<AudioBuffer> {
  const bytes = await bytesOf(sound, signal);
  try {
    // Decoding goes on in a thread of the browser's own, and can't be stopped.
    return await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  } catch (error) {
    throw new SoundUnreadable('It could not be decoded.', { cause: error });
  } finally {
    signal.throwIfAborted();
  }
}

async function bytesOf(sound: AnySound, signal: AbortSignal): Promise<ArrayBuffer> {
  try {
    if (typeof sound !== 'string') return await sound.arrayBuffer();
    const response = await fetchForScript(sound, signal);
    if (!response.ok) throw new SoundUnreachable(`${response.status}`);
    return await response.arrayBuffer();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof SoundUnreachable
      ? error
      : new SoundUnreachable('It did not come.', { cause: error });
  }
}

/**
 * A script may not follow to another origin, so that the server itself is asked. What the device keeps is asked for as an
 * element asks, and comes from there; also where the page does not know yet what that is.
 */
async function fetchForScript(address: string, signal: AbortSignal): Promise<Response> {
  const name = FILE.exec(address)?.[1];
  const plain = () => fetch(address, { signal });
  if (name === undefined || keptAs(decodeURIComponent(name))) return plain();
  return fetch(`${address}&keep=yes`, { signal }).catch(plain);
}
