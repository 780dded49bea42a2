import { open } from 'node:fs/promises';
import { decode } from './decode.ts';
import type { Listener } from './listener.ts';
import * as refuse from '../refusals.ts';
import { sniff } from './sniff.ts';
import { hearWav, readWav } from './wav.ts';

/** Receives the samples of a sound, mixed down, from the beginning and without gaps. */
export type Hearing = { hear(mono: Float32Array): void };

/**
 * Decodes a sound and mixes it down. It sets no limits on time or memory: call it only in a process that has them.
 * @param seconds the sound's known length
 * @param begin called once the rate is known, in Hz
 * @throws AppError 415 if there is no decoder for the sound
 */
export async function hearSound<H extends Hearing>(
  path: string,
  seconds: number,
  ffmpegPath: string | null,
  begin: (rate: number) => H,
): Promise<{ heard: H; rate: number }> {
  const listener = new MonoListener(seconds, begin);
  await using file = await open(path);
  const kind = await sniff(file);
  if (!kind) throw refuse.notAudio();
  if (kind === 'wav') await hearWav(file, await readWav(file), listener);
  else {
    const { openTrack } = await import('./track.ts');
    await decode({ path, file, ffmpegPath }, await openTrack(file, kind), seconds, listener);
  }
  if (!listener.hearing) throw refuse.unplayableCodec();
  return { heard: listener.hearing, rate: listener.rate };
}

/** Gaps between packets up to this length are not filled. */
const SMALLEST_GAP_SECONDS = 0.02;

/** Mixes channels down, drops samples before 0, and fills gaps with silence. */
class MonoListener<H extends Hearing> implements Listener {
  readonly #most: number;
  readonly #begin: (rate: number) => H;
  hearing: H | null = null;
  rate = 0;
  #samples = 0;

  constructor(mostSeconds: number, begin: (rate: number) => H) {
    this.#most = mostSeconds;
    this.#begin = begin;
  }

  get heard() {
    return this.rate === 0 ? 0 : this.#samples / this.rate;
  }

  hear(samples: Float32Array | Int16Array, channels: number, rate: number, start: number, fullScale = 1) {
    this.rate ||= rate;
    const gap = Math.min(start, this.#most) - this.heard;
    if (gap > SMALLEST_GAP_SECONDS) this.#take(new Float32Array(Math.round(gap * this.rate)));
    const first = Math.max(0, Math.ceil(-start * rate));
    const room = Math.max(0, Math.ceil(this.#most * this.rate) - this.#samples);
    const count = Math.min(room, Math.floor(samples.length / channels) - first);
    if (count <= 0) return;
    const mono = new Float32Array(count);
    for (let n = 0; n < count; n++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += samples[(first + n) * channels + channel]!;
      const sample = sum / channels / fullScale;
      // A WAV of floats may also contain Infinity, and a single one would silence everything after it.
      mono[n] = Number.isFinite(sample) ? sample : 0;
    }
    this.#take(mono);
  }

  #take(mono: Float32Array) {
    this.hearing ??= this.#begin(this.rate);
    this.hearing.hear(mono);
    this.#samples += mono.length;
  }
}
