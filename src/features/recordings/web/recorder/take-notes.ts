import type { RecorderSnapshot, Take } from '#web/audio/recorder.ts';
import type { TakeNote } from '#web/audio/stored-recording.ts';
import {
  CLIPPED_TAKE,
  LIMIT_REACHED,
  MICROPHONE_LOST,
  MISSED_IN_BACKGROUND,
  MISSED_WHILE_HELD,
  QUIET_TAKE,
  SILENT_TAKE,
} from './recorder-messages.ts';

export const takeNoteMessages: Record<TakeNote, string> = {
  limit: LIMIT_REACHED,
  'microphone-lost': MICROPHONE_LOST,
  'missed-in-background': MISSED_IN_BACKGROUND,
  'missed-while-held': MISSED_WHILE_HELD,
  silent: SILENT_TAKE,
  quiet: QUIET_TAKE,
  clipped: CLIPPED_TAKE,
};

/** Returns what the user should know about a take before sending it. */
export function getTakeNotes(
  { loudness }: Pick<Take, 'loudness'>,
  {
    stoppedBecause,
    missedInBackground,
    missedWhileHeld,
  }: Pick<RecorderSnapshot, 'stoppedBecause' | 'missedInBackground' | 'missedWhileHeld'>,
): readonly TakeNote[] {
  const notes: TakeNote[] = [];
  if (stoppedBecause === 'limit' || stoppedBecause === 'microphone-lost') notes.push(stoppedBecause);
  if (missedInBackground) notes.push('missed-in-background');
  if (missedWhileHeld) notes.push('missed-while-held');
  if (loudness !== 'good') notes.push(loudness);
  return notes;
}
