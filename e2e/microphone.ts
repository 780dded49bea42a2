import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wavFile } from '#testing/tone.ts';

/** One second of each pitch in turn, so that a recording shows both whether it is in tune and whether it keeps time. */
export const PITCHES = [220, 330];

/** What the browser's microphone hears; it begins anew behind its end, so it is longer than a take. */
export const microphoneFile = join(tmpdir(), 'yangchen-e2e', 'microphone.wav');

const SECONDS = 130;

export default function makeMicrophoneFile() {
  mkdirSync(join(microphoneFile, '..'), { recursive: true });
  // Both pitches make whole turns in a second, so the changes do not click.
  const wav = wavFile(SECONDS, 48_000, (second) => {
    const hertz = PITCHES[Math.floor(second) % PITCHES.length] ?? 0;
    return 12_000 * Math.sin(2 * Math.PI * hertz * second);
  });
  writeFileSync(microphoneFile, wav);
}
