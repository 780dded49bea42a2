import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wavFile } from '../src/testing/tone.ts';

export const HOUR_BYTES = 3_600 * 8_000;

/** Frames of a short MP3 of 64 kbit/s, repeated: like a real long melody. */
export async function hourOfMp3() {
  const file = await readFile(join(import.meta.dirname, '../src/testing/audio/melody-cbr.mp3'));
  // After the tag, and after the first frame, which holds the short one's length.
  const frames = file.subarray(20 + 288);
  return Buffer.concat(Array<Buffer>(Math.ceil(HOUR_BYTES / frames.length)).fill(frames));
}

/** A WAV as the recorder makes it: a voice with overtones and breath, for which an encoder needs all the bits it has. */
export function song(seconds: number) {
  return wavFile(seconds, 32_000, (second) => {
    const pitch = 180 + 60 * Math.sin(second * 0.7);
    let sample = 1_500 * (Math.random() - 0.5);
    for (let overtone = 1; overtone < 12; overtone += 1)
      sample += (5_000 / overtone) * Math.sin(2 * Math.PI * pitch * overtone * second);
    return sample;
  });
}

/** A tone that rises steadily for a while, and again, so that its pitch tells the time. */
export const RISING = { from: 400, hertzPerSecond: 100 };
export const rising = (seconds: number) =>
  wavFile(seconds, 32_000, (at) => {
    const { from, hertzPerSecond } = RISING;
    const second = at % 20;
    return 12_000 * Math.sin(2 * Math.PI * (from * second + (hertzPerSecond / 2) * second * second));
  });
