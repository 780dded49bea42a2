import { PITCHES } from '../e2e/microphone.ts';
import { cents, pitchTrack, readWav } from '../e2e/sound.ts';

const HEADER_BYTES = 44;
/** A browser that is killed may have stored its last block before it could report it. */
const BLOCK_BYTES = 8_192;
const TUNE_CENTS = 30;
/** A window in which the pitch changes has none, and a busy machine's microphone may skip a moment. */
const IN_TUNE = 0.75;

/**
 * Compares a recording with what the page received from the microphone, byte by byte from its beginning, and with the
 * input of the microphone: the known pitches.
 * @returns what is wrong with it; null if it matches
 */
export function faultOf(wav: Buffer, heard: Buffer): string | null {
  const sound = wav.subarray(HEADER_BYTES);
  if (sound.length > heard.length + BLOCK_BYTES)
    return `${sound.length} bytes arrived, ${heard.length} were heard`;
  const known = Math.min(sound.length, heard.length);
  if (!sound.subarray(0, known).equals(heard.subarray(0, known))) return 'it is not what the page heard';
  const { samples, rate } = readWav(wav);
  const track = pitchTrack(samples, rate);
  const inTune = track.filter((hertz) => PITCHES.some((pitch) => Math.abs(cents(hertz, pitch)) < TUNE_CENTS));
  if (inTune.length < track.length * IN_TUNE - 1)
    return 'it is not the pitches that the microphone was given';
  return null;
}
