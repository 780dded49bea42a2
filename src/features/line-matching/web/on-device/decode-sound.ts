import { soundAddress } from '#web/audio/sound-address.ts';
import { keptAs, type StoredSound } from '#web/audio/sound-choice.ts';

/** Sound in this page, or an address on this server. */
export type AnySound = Blob | string;

/** The sound can't be fetched now. */
export class SoundUnreachable extends Error {}
/** This browser can't decode the sound. */
export class SoundUnreadable extends Error {}

/** Sample rate at which sounds are compared, so that none is resampled twice. */
const RATE = 16_000;

/** At this rate, ten minutes in stereo take 77 MB; more would strain a phone's memory. */
export const LONGEST_SECONDS = 10 * 60;

const FILE = /^\/api\/files\/([^/?]+)\?/;

/** Returns the address of the smallest copy of a sound; quality does not matter for the comparison. */
export function smallestOf({ name, copies }: StoredSound): string {
  if (name.startsWith('/')) return name;
  const [copy = null] = (['small', 'full'] as const).filter((each) => copies.includes(each));
  return soundAddress(name, keptAs(name)?.copy ?? copy);
}

/**
 * Decodes a sound.
 * @throws SoundUnreachable, SoundUnreadable; the signal's abort reason
 */
export async function decodeSound(sound: AnySound, signal: AbortSignal): Promise<AudioBuffer> {
  const bytes = await bytesOf(sound, signal);
  try {
    // Decoding runs in one of the browser's own threads and can't be stopped.
    return await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  } catch (error) {
    throw new SoundUnreadable('The audio could not be decoded.', { cause: error });
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
      : new SoundUnreachable('The audio could not be loaded.', { cause: error });
  }
}

/**
 * Fetches a file for a script. Scripts may not follow redirects to another origin, so this asks the server itself.
 * For a file that is stored on the device it uses the same address as a media element, which is served from there,
 * even if the page does not know about it yet.
 */
async function fetchForScript(address: string, signal: AbortSignal): Promise<Response> {
  const name = FILE.exec(address)?.[1];
  const plain = () => fetch(address, { signal });
  if (name === undefined || keptAs(decodeURIComponent(name))) return plain();
  return fetch(`${address}&keep=yes`, { signal }).catch(plain);
}
