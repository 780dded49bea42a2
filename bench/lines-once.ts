import { readFileSync } from 'node:fs';
import { extractFeatures } from '#features/line-matching/alignment/features.ts';
import { findLines } from '#features/line-matching/alignment/find-lines.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';

/**
 * Searches one recording for a melody's lines. `bench/lines.ts` runs this file in a separate process, as the
 * server does. Prints the maximum memory of the process, in MB.
 */
const [rate = '', melody = '', take = '', starts = ''] = process.argv.slice(2);
const samplesOf = (file: string) => {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT);
};
const ofMelody = extractFeatures(samplesOf(melody), Number(rate));
findLines(ofMelody, JSON.parse(starts) as LineStart[], extractFeatures(samplesOf(take), Number(rate)));
console.log(process.resourceUsage().maxRSS / 1024);
