import { PITCHES } from '../e2e/microphone.ts';
import { cents, pitchTrack, readWav, WINDOWS_PER_SECOND } from '../e2e/sound.ts';

/** A note is in tune so far. */
const TUNE_CENTS = 30;
/** A window with a change in it has no pitch, nor has the one in which the browser's own resampler rings after it. */
const UNCLEAR_WINDOWS = 2;
const WINDOWS_OFF = 1;

/**
 * Compares a recording with what the microphone was given: one second of each pitch in turn. A block that is missing,
 * doubled or in the wrong place is 128 ms, and moves every later change. Where it begins in the first second is open.
 * @returns what is wrong with it; null when it is the known signal
 */
export function faultOf(wav: Buffer): string | null {
  const { samples, rate } = readWav(wav);
  const notes = pitchTrack(samples, rate).map(
    (hertz) => PITCHES.find((each) => Math.abs(cents(hertz, each)) < TUNE_CENTS) ?? null,
  );
  const changes: number[] = [];
  let last: { pitch: number; at: number } | null = null;
  for (const [at, pitch] of notes.entries()) {
    if (pitch === null) continue;
    const before = last;
    last = { pitch, at };
    if (at - (before?.at ?? -1) - 1 > UNCLEAR_WINDOWS) return `no known pitch before ${seconds(at)}`;
    if (before && before.pitch !== pitch) changes.push((before.at + 1 + at) / 2);
  }
  if (notes.length - 1 - (last?.at ?? -1) > UNCLEAR_WINDOWS) return 'no known pitch at the end';
  // As if it had changed at its beginning and at its end: no note is longer than its second.
  for (const [index, at] of [...changes, notes.length].entries()) {
    const length = at - (changes[index - 1] ?? 0);
    const isWhole = index > 0 && index < changes.length;
    if (length > WINDOWS_PER_SECOND + WINDOWS_OFF || (isWhole && length < WINDOWS_PER_SECOND - WINDOWS_OFF))
      return `the note that ends at ${seconds(at)} has ${(length / WINDOWS_PER_SECOND).toFixed(3)} s`;
  }
  return null;
}

const seconds = (window: number) => `${(window / WINDOWS_PER_SECOND).toFixed(2)} s`;
