import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RATE = 48_000;

/** One second of each pitch in turn, so that a recording shows both whether it is in tune and whether it keeps time. */
export const PITCHES = [220, 330];

/** What the browser's microphone hears; it begins anew behind its end, so it is longer than a take. */
export const microphoneFile = join(tmpdir(), 'yangchen-e2e', 'microphone.wav');

export default function makeMicrophoneFile() {
  mkdirSync(join(microphoneFile, '..'), { recursive: true });
  const seconds = 130;
  const frames = seconds * RATE;
  const wav = Buffer.alloc(44 + frames * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + frames * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(frames * 2, 40);
  // Both pitches make whole turns in a second, so the changes do not click.
  for (let i = 0; i < frames; i += 1) {
    const hertz = PITCHES[Math.floor(i / RATE) % PITCHES.length] ?? 0;
    wav.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * hertz * i) / RATE)), 44 + i * 2);
  }
  writeFileSync(microphoneFile, wav);
}
