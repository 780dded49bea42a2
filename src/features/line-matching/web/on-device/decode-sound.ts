import { buildSoundUrl } from '#web/audio/sound-url.ts';
import { getDeviceCopy, type SoundFile } from '#web/audio/sound-choice.ts';

/** Audio in this page, or a URL on this server. */
export type SoundSource = Blob | string;

/** Thrown if the audio can't be fetched at the moment. */
export class SoundUnreachableError extends Error {}
/** Thrown if this browser can't decode the audio. */
export class SoundUnreadableError extends Error {}

/** Sample rate for decoding. Features are extracted at the same rate, so that nothing is resampled twice. */
const RATE = 16_000;

/**
 * Maximum duration of audio that is compared, in seconds. At `RATE`, ten minutes in stereo take 77 MB. More
 * would strain a phone's memory.
 */
export const MAX_DECODED_SECONDS = 10 * 60;

const FILE_URL = /^\/api\/files\/([^/?]+)\?/;

/**
 * Returns the URL of an audio file as stored on the device, otherwise of its smallest copy or, without
 * copies, of the original. Quality does not matter for the comparison.
 */
export function getSmallestCopyUrl({ name, copies }: SoundFile): string {
  if (name.startsWith('/')) return name;
  const [copy = null] = (['small', 'full'] as const).filter((each) => copies.includes(each));
  return buildSoundUrl(name, getDeviceCopy(name)?.copy ?? copy);
}

/**
 * Fetches and decodes audio.
 * @throws SoundUnreachableError, SoundUnreadableError; the signal's abort reason
 */
export async function decodeSound(sound: SoundSource, signal: AbortSignal): Promise<AudioBuffer> {
  const bytes = await fetchBytes(sound, signal);
  try {
    // Decoding runs in one of the browser's own threads and can't be stopped, so an abort takes effect only
    // afterwards.
    return await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  } catch (error) {
    throw new SoundUnreadableError('The audio could not be decoded.', { cause: error });
  } finally {
    signal.throwIfAborted();
  }
}

async function fetchBytes(sound: SoundSource, signal: AbortSignal): Promise<ArrayBuffer> {
  try {
    if (typeof sound !== 'string') return await sound.arrayBuffer();
    const response = await fetchForScript(sound, signal);
    if (!response.ok) throw new SoundUnreachableError(`${response.status}`);
    return await response.arrayBuffer();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof SoundUnreachableError
      ? error
      : new SoundUnreachableError('The audio could not be loaded.', { cause: error });
  }
}

/**
 * Fetches a file for a script. Scripts may not follow redirects to another origin, so `keep=yes` makes the
 * server send the file itself. A file that is stored on the device is fetched from the URL that media
 * elements use, which is served from the device. That URL is also the fallback, because the page's list of
 * stored files may be outdated.
 */
async function fetchForScript(address: string, signal: AbortSignal): Promise<Response> {
  const name = FILE_URL.exec(address)?.[1];
  const plain = () => fetch(address, { signal });
  if (name === undefined || getDeviceCopy(decodeURIComponent(name))) return plain();
  return fetch(`${address}&keep=yes`, { signal }).catch(plain);
}
