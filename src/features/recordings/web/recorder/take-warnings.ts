import type { RecorderSnapshot, Take } from '#web/audio/recorder.ts';
import type { TakeWarning } from '#web/audio/stored-recording.ts';
import {
  CLIPPED_TAKE_MESSAGE,
  RECORDING_LIMIT_REACHED_MESSAGE,
  MICROPHONE_LOST_MESSAGE,
  MISSED_IN_BACKGROUND_MESSAGE,
  MISSED_WHILE_INTERRUPTED_MESSAGE,
  QUIET_TAKE_MESSAGE,
  SILENT_TAKE_MESSAGE,
} from './recorder-messages.ts';

export const takeWarningMessages: Record<TakeWarning, string> = {
  limit: RECORDING_LIMIT_REACHED_MESSAGE,
  'microphone-lost': MICROPHONE_LOST_MESSAGE,
  'missed-in-background': MISSED_IN_BACKGROUND_MESSAGE,
  'missed-while-held': MISSED_WHILE_INTERRUPTED_MESSAGE,
  silent: SILENT_TAKE_MESSAGE,
  quiet: QUIET_TAKE_MESSAGE,
  clipped: CLIPPED_TAKE_MESSAGE,
};

/** Returns the warnings to show the user before a take is sent. */
export function getTakeWarnings(
  { loudness }: Pick<Take, 'loudness'>,
  {
    stoppedBecause,
    missedInBackground,
    missedWhileHeld,
  }: Pick<RecorderSnapshot, 'stoppedBecause' | 'missedInBackground' | 'missedWhileHeld'>,
): readonly TakeWarning[] {
  const warnings: TakeWarning[] = [];
  if (stoppedBecause === 'limit' || stoppedBecause === 'microphone-lost') warnings.push(stoppedBecause);
  if (missedInBackground) warnings.push('missed-in-background');
  if (missedWhileHeld) warnings.push('missed-while-held');
  if (loudness !== 'good') warnings.push(loudness);
  return warnings;
}
