import type { KeptTake } from '../takes/kept-take.ts';
import type { TakeStore } from '../takes/take-store.ts';
import type { ChosenAudio } from './chosen-audio.ts';
import { lengthOf, peaksOfFile } from './examine-file.ts';

/**
 * What the device keeps, as audio that can be heard and sent. What was cut off in the middle has its length and its
 * waveform worked out now; null when nothing of its sound reached the disk.
 */
export async function keptAudio(
  store: TakeStore,
  kept: KeptTake,
): Promise<(ChosenAudio & { kept: KeptTake }) | null> {
  const blob = await store.blobOf(kept);
  if (!blob) {
    await store.remove(kept.id);
    return null;
  }
  const seconds = kept.seconds ?? (await lengthOf(blob));
  const peaks = kept.peaks ?? (await peaksOfFile(blob, seconds));
  const { name, origin } = kept;
  return { blob, name, origin, seconds, peaks, kept: { ...kept, seconds, peaks } };
}
