import type { SoundFeatures } from '#features/line-matching/alignment/features.ts';
import type { AlignmentWorker } from './alignment-worker.ts';
import { type SoundSource, decodeSound } from './decode-sound.ts';

/** Length of the chunks in which samples are copied to the worker, so that the page never freezes. */
const PIECE_SECONDS = 15;

type Options = {
  signal: AbortSignal;
  /** Called with fractions from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Limits the extraction to this passage, in seconds. */
  passage?: { start: number; end: number };
};

/**
 * Extracts the features of an audio source.
 * @throws the errors of `decodeSound` and of the worker
 */
export async function computeSoundFeatures(
  sound: SoundSource,
  worker: AlignmentWorker,
  options: Options,
): Promise<SoundFeatures> {
  const { signal, onProgress, passage } = options;
  const decoded = await decodeSound(sound, signal);
  const { sampleRate: rate, length, numberOfChannels } = decoded;
  const from = passage ? Math.max(0, Math.floor(passage.start * rate)) : 0;
  const to = passage ? Math.min(length, Math.ceil(passage.end * rate)) : length;
  const step = PIECE_SECONDS * rate;
  for (let at = from; at < to; at += step) {
    const channels = Array.from({ length: numberOfChannels }, (_, index) =>
      decoded.getChannelData(index).slice(at, Math.min(to, at + step)),
    );
    await worker.send({ type: 'hear', rate, channels }, { transfer: channels.map(({ buffer }) => buffer) });
    onProgress?.(Math.min(1, (at + step - from) / (to - from)));
  }
  return (await worker.send({ type: 'end' })).features;
}

/** Maximum number of cache entries. Each takes about 250 kB per minute of audio. */
const MAX_CACHED = 4;

/** Features of complete audio files, for the lifetime of the page. The most recently used entry is last. */
const cache = new Map<SoundSource, SoundFeatures>();

export function getCachedFeatures(sound: SoundSource): SoundFeatures | null {
  const features = cache.get(sound);
  if (features) cacheFeatures(sound, features);
  return features ?? null;
}

export function cacheFeatures(sound: SoundSource, features: SoundFeatures) {
  cache.delete(sound);
  cache.set(sound, features);
  for (const [oldest] of cache) {
    if (cache.size <= MAX_CACHED) return;
    cache.delete(oldest);
  }
}
