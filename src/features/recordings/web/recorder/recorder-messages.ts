import type { MicrophoneProblem } from '#web/audio/microphone.ts';
import type { WriterProblem } from '../takes/recording-writer.ts';
import type { RecorderSnapshot } from '#web/audio/recorder.ts';
import { duration, spokenDuration } from '#web/ui/duration.ts';

export const MICROPHONE_FAILED = 'Could not access microphone. Please check your browser permissions.';

export const INSECURE =
  'Recording needs a secure address (https or localhost). Uploading an audio file works here all the same.';

/** Advice for the user, shown below the specified sentence. */
export const whatToDo: Record<MicrophoneProblem, string> = {
  insecure: INSECURE,
  refused: 'To allow it in this browser (you can also upload a file):',
  'no-microphone': 'No microphone was found. Connect one and try again, or upload a file.',
  'in-use':
    'Another program may be using the microphone: end the call or close that program, then try again.',
  unsupported: 'This browser cannot record. Try a newer one, or upload a file.',
  worklet: 'The recorder could not start. Load the page again, or upload a file.',
};

export const LIMIT_REACHED =
  'The 2-minute limit has been reached. The recording has stopped by itself and is kept.';
export const MICROPHONE_LOST = 'The microphone was disconnected. What was recorded until then is kept.';
export const MISSED_IN_BACKGROUND =
  'While this page was in the background nothing may have been recorded. Keep it in sight while you sing.';
export const MISSED_WHILE_HELD =
  'Your device held the sound for a while, perhaps for a call. Nothing was recorded meanwhile.';
export const SILENT_TAKE =
  'Nothing can be heard in this recording. Please check that the microphone is not covered or switched off, then record again.';
export const QUIET_TAKE =
  'This recording is very quiet and may be hard to hear. Please listen to it; if it is too soft, go closer to the microphone and record again.';
export const CLIPPED_TAKE =
  'This recording is too loud in places and crackles there. Please listen to it; if it does, go a little farther from the microphone and record again.';

/** Shown because the recording exists only in this page until it is sent. */
export const notKept: Record<WriterProblem, string> = {
  full: 'This device has no room left, so the recording is kept in this page only. Please send it before you close the page.',
  unavailable:
    'This browser keeps nothing on the device, so the recording is kept in this page only. Please send it before you close the page.',
};

/** Returns the status below the clock. */
export function statusLine(recorder: RecorderSnapshot): string {
  switch (recorder.state) {
    case 'asking':
      return 'Waiting for the microphone…';
    case 'counting':
      return recorder.muted || recorder.interrupted
        ? notTaking(recorder)
        : 'Get ready. Nothing is being recorded yet.';
    case 'recording':
      return recorder.taking ? `Recording · ${timeLeft(recorder.secondsLeft)}` : notTaking(recorder);
    case 'paused':
      return 'Paused. Nothing is being recorded.';
    case 'idle':
    case 'failed':
    case 'recorded':
      return 'Press to record, up to 2 minutes. Nothing is recorded yet.';
  }
}

/** Returns the announcement for screen readers; it changes with the state, not every second. */
export function announcement(recorder: RecorderSnapshot): string {
  if (recorder.state === 'counting') return `Recording begins in ${recorder.count}`;
  if (recorder.state === 'recording' && recorder.taking && recorder.nearEnd)
    return 'Recording. 10 seconds left.';
  if (recorder.state === 'recording' && recorder.taking)
    return [...missingSentences(recorder), 'Recording.'].join(' ');
  if (recorder.state === 'idle' || recorder.state === 'failed') return '';
  return statusLine(recorder);
}

/** Returns sentences about missing parts of the current recording. An interruption is reported once it is over. */
export function missingSentences({
  missedInBackground,
  missedWhileHeld,
  muted,
  interrupted,
}: RecorderSnapshot): readonly string[] {
  return [
    ...(missedInBackground ? [MISSED_IN_BACKGROUND] : []),
    ...(missedWhileHeld && !muted && !interrupted ? [MISSED_WHILE_HELD] : []),
  ];
}

export const takeAnnouncement = (seconds: number) => `Recorded: ${spokenDuration(seconds)}.`;

function notTaking({ interrupted, muted }: RecorderSnapshot): string {
  if (interrupted) return 'Nothing is being recorded: your device holds the sound, perhaps for a call.';
  if (muted) return 'Nothing is being recorded: the microphone is muted.';
  return 'Nothing is being recorded: no sound comes from the microphone.';
}

function timeLeft(secondsLeft: number) {
  const whole = Math.ceil(secondsLeft);
  if (whole > 60) return `${duration(whole)} left`;
  return `${whole} second${whole === 1 ? '' : 's'} left`;
}
