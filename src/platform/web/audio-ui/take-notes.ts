import type { RecorderSnapshot, Take } from '../audio/recorder.ts';
import {
  CLIPPED_TAKE,
  LIMIT_REACHED,
  MICROPHONE_LOST,
  MISSED_IN_BACKGROUND,
  QUIET_TAKE,
  SILENT_TAKE,
} from './recorder-words.ts';

const loudnessSentences = { silent: SILENT_TAKE, quiet: QUIET_TAKE, clipped: CLIPPED_TAKE, good: null };

/** What one should know of a take before one sends it, sentence by sentence. */
export function notesOn(
  { loudness }: Pick<Take, 'loudness'>,
  { stoppedBecause, missedInBackground }: Pick<RecorderSnapshot, 'stoppedBecause' | 'missedInBackground'>,
): readonly string[] {
  return [
    stoppedBecause === 'limit' && LIMIT_REACHED,
    stoppedBecause === 'microphone-lost' && MICROPHONE_LOST,
    missedInBackground && MISSED_IN_BACKGROUND,
    loudnessSentences[loudness],
  ].filter((sentence) => typeof sentence === 'string');
}
