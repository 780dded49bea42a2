import { writeFileSync } from 'node:fs';
import { decodeToMono, type MonoConsumer } from './decode-to-mono.ts';
import * as refuse from '../errors.ts';

/** Start and end of a passage, in seconds from the start of the audio. */
export type PassageRange = { start: number; end: number };

/**
 * Writes a passage of an audio file as a mono WAV. Sets no limits on time or memory, so it must run in a
 * process that has limits.
 * @param output descriptor of a file opened for writing
 * @throws AppError 415 if no decoder supports the file, or if the passage is empty
 */
export async function cutPassage(
  path: string,
  output: number,
  { start, end }: PassageRange,
  ffmpegPath: string | null,
): Promise<void> {
  const { consumer, rate } = await decodeToMono(
    path,
    end,
    ffmpegPath,
    (rate) => new PassageCollector(start * rate),
  );
  const samples = consumer.samples();
  if (samples.length === 0) throw refuse.createEmptyFileError();
  writeFileSync(output, encodeWav(samples, rate));
}

/** Skips the samples before the passage, then collects all others. */
class PassageCollector implements MonoConsumer {
  #toSkip: number;
  readonly #parts: Float32Array[] = [];

  constructor(first: number) {
    this.#toSkip = Math.round(first);
  }

  add(mono: Float32Array) {
    const skipped = Math.min(this.#toSkip, mono.length);
    this.#toSkip -= skipped;
    if (skipped < mono.length) this.#parts.push(mono.slice(skipped));
  }

  samples(): Float32Array {
    const all = new Float32Array(this.#parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Returns the samples as a 16-bit PCM WAV file. */
function encodeWav(samples: Float32Array, rate: number): Buffer {
  const size = samples.length * BYTES_PER_SAMPLE;
  const wav = Buffer.alloc(HEADER_BYTES + size);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(HEADER_BYTES - 8 + size, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * BYTES_PER_SAMPLE, 28);
  wav.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  wav.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(size, 40);
  samples.forEach((sample, n) => {
    wav.writeInt16LE(
      Math.max(-0x8000, Math.min(0x7fff, Math.round(sample * 0x8000))),
      HEADER_BYTES + n * BYTES_PER_SAMPLE,
    );
  });
  return wav;
}
