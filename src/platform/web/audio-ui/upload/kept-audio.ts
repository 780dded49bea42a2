import { judgeLoudness } from '../../audio/loudness.ts';
import { peaksOf } from '../../audio/peaks.ts';
import { SAMPLE_RATE } from '../../audio/recording-format.ts';
import { samplesOf } from '../../audio/wav.ts';
import type { StoredRecording } from '../../takes/stored-recording.ts';
import type { TakeFacts } from '../../takes/recording-writer.ts';
import type { TakeStore } from '../../takes/take-store.ts';
import { peaksText } from '../playback/bars.ts';
import type { ChosenAudio } from './chosen-audio.ts';
import { lengthOf, peaksOfFile } from './examine-file.ts';

/**
 * What the device keeps, as audio that can be heard and sent. What was cut off in the middle has its length, its
 * waveform and its loudness worked out now; null when nothing of its sound reached the disk.
 */
export async function keptAudio(
  store: TakeStore,
  kept: StoredRecording,
): Promise<(ChosenAudio & { kept: StoredRecording }) | null> {
  const sound = await store.blobOf(kept);
  if (!sound) {
    // Begun and cut off before its first second reached the disk: there is nothing to offer.
    await store.remove(kept.id);
    return null;
  }
  const { name, origin, type } = kept;
  // A file that was chosen is one again, with its name.
  const blob = origin === 'uploaded' ? new File([sound], name, { type }) : sound;
  const facts = origin === 'uploaded' ? await factsOfFile(kept, blob) : await factsOfTake(kept, blob);
  return { blob, name, origin, ...facts, kept: { ...kept, ...facts } };
}

async function factsOfFile(kept: StoredRecording, file: Blob): Promise<TakeFacts> {
  const seconds = kept.seconds ?? (await lengthOf(file));
  return { seconds, peaks: kept.peaks ?? (await peaksOfFile(file, seconds)) };
}

async function factsOfTake({ state, seconds, peaks, notes }: StoredRecording, wav: Blob): Promise<TakeFacts> {
  if (state !== 'recording' && notes) return { seconds, peaks, notes };
  // Cut off, so that nothing is noted but what was known by then; or kept by an older version.
  const samples = await samplesOf(wav);
  const loudness = judgeLoudness(samples);
  return {
    seconds: samples.length / SAMPLE_RATE,
    peaks: peaksText(peaksOf([samples])),
    notes: loudness === 'good' ? (notes ?? []) : [...(notes ?? []), loudness],
  };
}
