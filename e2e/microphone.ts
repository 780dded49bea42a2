import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWav } from '#testing/tone.ts';

/**
 * Pitches of the fake microphone, in Hz. They alternate every second, so tests can check both pitch and timing.
 */
export const MICROPHONE_HERTZ = [220, 330];

/** File that the browser's fake microphone plays in a loop. It is longer than any take. */
export const MICROPHONE_PATH = join(tmpdir(), 'yangchen-e2e', 'microphone.wav');

const SECONDS = 130;

export default function createMicrophoneFile() {
  mkdirSync(join(MICROPHONE_PATH, '..'), { recursive: true });
  // Both pitches complete whole periods in a second, so there is no click when they change.
  const wav = createWav(SECONDS, 48_000, (second) => {
    const hertz = MICROPHONE_HERTZ[Math.floor(second) % MICROPHONE_HERTZ.length] ?? 0;
    return 12_000 * Math.sin(2 * Math.PI * hertz * second);
  });
  writeFileSync(MICROPHONE_PATH, wav);
}
