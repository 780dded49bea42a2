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
  const sound = await store.blobOf(kept);
  if (!sound) {
    // Begun and cut off before its first second reached the disk: there is nothing to offer.
    await store.remove(kept.id);
    return null;
  }
  const { name, origin, type } = kept;
  // A file that was chosen is one again, with its name.
  const blob = origin === 'uploaded' ? new File([sound], name, { type }) : sound;
  const seconds = kept.seconds ?? (await lengthOf(blob));
  const peaks = kept.peaks ?? (await peaksOfFile(blob, seconds));
  return { blob, name, origin, seconds, peaks, kept: { ...kept, seconds, peaks } };
}
