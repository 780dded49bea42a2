import { open } from 'node:fs/promises';
import { decodeTrack } from './decode.ts';
import type { SampleListener } from './sample-listener.ts';
import * as refuse from '../errors.ts';
import { sniffAudioKind } from './sniff.ts';
import { readWavSamples, readWavLayout } from './wav.ts';

/** Receives all samples of an audio file from the beginning, mixed down to mono and without gaps. */
export type MonoConsumer = { add(mono: Float32Array): void };

/**
 * Decodes an audio file and mixes it down. Sets no limits on time or memory, so it must run in a process that
 * has limits.
 * @param seconds maximum duration; later samples are dropped
 * @param begin creates the consumer for this sample rate (in Hz), before the first samples
 * @throws AppError 415 if browsers can't play the file, or if there is no decoder for it
 */
export async function decodeToMono<H extends MonoConsumer>(
  path: string,
  seconds: number,
  ffmpegPath: string | null,
  begin: (rate: number) => H,
): Promise<{ consumer: H; rate: number }> {
  const mixer = new MonoMixer(seconds, begin);
  await using file = await open(path);
  const kind = await sniffAudioKind(file);
  if (!kind) throw refuse.createNotAudioError();
  if (kind === 'wav') await readWavSamples(file, await readWavLayout(file), mixer);
  else {
    const { openAudioTrack } = await import('./audio-track.ts');
    await decodeTrack({ path, file, ffmpegPath }, await openAudioTrack(file, kind), seconds, mixer);
  }
  if (!mixer.consumer) throw refuse.createUnplayableCodecError();
  return { consumer: mixer.consumer, rate: mixer.rate };
}

/** Minimum length of a gap that is filled with silence, in seconds. */
const MIN_GAP_SECONDS = 0.02;

/**
 * Mixes channels down, drops samples before time 0 and after the maximum duration, and fills gaps with silence.
 */
class MonoMixer<H extends MonoConsumer> implements SampleListener {
  readonly #maxSeconds: number;
  readonly #begin: (rate: number) => H;
  consumer: H | null = null;
  rate = 0;
  #samples = 0;

  constructor(maxSeconds: number, begin: (rate: number) => H) {
    this.#maxSeconds = maxSeconds;
    this.#begin = begin;
  }

  get decodedSeconds() {
    return this.rate === 0 ? 0 : this.#samples / this.rate;
  }

  add(samples: Float32Array | Int16Array, channels: number, rate: number, start: number, fullScale = 1) {
    this.rate ||= rate;
    const gap = Math.min(start, this.#maxSeconds) - this.decodedSeconds;
    if (gap > MIN_GAP_SECONDS) this.#append(new Float32Array(Math.round(gap * this.rate)));
    const first = Math.max(0, Math.ceil(-start * rate));
    const room = Math.max(0, Math.ceil(this.#maxSeconds * this.rate) - this.#samples);
    const count = Math.min(room, Math.floor(samples.length / channels) - first);
    if (count <= 0) return;
    const mono = new Float32Array(count);
    for (let n = 0; n < count; n++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += samples[(first + n) * channels + channel]!;
      const sample = sum / channels / fullScale;
      // Replaces Infinity and NaN, which a WAV of floats may contain, with 0. After a single such sample, a
      // consumer's recursive filter would output only NaN.
      mono[n] = Number.isFinite(sample) ? sample : 0;
    }
    this.#append(mono);
  }

  #append(mono: Float32Array) {
    this.consumer ??= this.#begin(this.rate);
    this.consumer.add(mono);
    this.#samples += mono.length;
  }
}
