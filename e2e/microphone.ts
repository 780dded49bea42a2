import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWav } from '#testing/tone.ts';

/** One second of each pitch in turn, so that a test can check both the pitch and the timing of a recording. */
export const PITCHES = [220, 330];

/** File that the browser's fake microphone plays. It restarts at its end, so it is longer than a take. */
export const microphoneFile = join(tmpdir(), 'yangchen-e2e', 'microphone.wav');

const SECONDS = 130;

export default function createMicrophoneFile() {
  mkdirSync(join(microphoneFile, '..'), { recursive: true });
  // Both pitches complete whole periods in a second, so the changes do not click.
  const wav = createWav(SECONDS, 48_000, (second) => {
    const hertz = PITCHES[Math.floor(second) % PITCHES.length] ?? 0;
    return 12_000 * Math.sin(2 * Math.PI * hertz * second);
  });
  writeFileSync(microphoneFile, wav);
}
