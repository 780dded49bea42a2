import { toWholeSeconds } from '#shared/media.ts';
import type { MicrophoneProblem } from '#web/audio/microphone.ts';
import type { RecordingWriterProblem } from '../takes/recording-writer.ts';
import type { RecorderSnapshot } from '#web/audio/recorder.ts';
import { formatDuration, formatDurationInWords } from '#web/ui/format-duration.ts';

export const MICROPHONE_FAILED_MESSAGE =
  'Could not access microphone. Please check your browser permissions.';

export const INSECURE_PAGE_MESSAGE =
  'You can’t record here because this address doesn’t start with https. You can still upload an audio file.';

/** Advice for the user, shown below the error message. */
export const microphoneAdvice: Record<MicrophoneProblem, string> = {
  insecure: INSECURE_PAGE_MESSAGE,
  refused: 'You can upload a file instead, or allow the microphone in this browser:',
  'no-microphone': 'We couldn’t find a microphone. Connect one and try again, or upload a file.',
  'in-use': 'Another app may be using the microphone. End the call or close that app, then try again.',
  unsupported: 'This browser can’t record. Use a newer one, or upload a file.',
  worklet: 'The recorder didn’t start. Reload the page, or upload a file.',
};

export const RECORDING_LIMIT_REACHED_MESSAGE =
  'You’ve reached the 2-minute limit, so the recording stopped. Everything up to that point is here.';
export const MICROPHONE_LOST_MESSAGE =
  'The microphone was disconnected. Everything up to that point is here.';
export const MISSED_IN_BACKGROUND_MESSAGE =
  'Some of your singing may be missing because you left this page for a while. Keep this page on the screen while you sing.';
export const MISSED_WHILE_INTERRUPTED_MESSAGE =
  'Your device paused the microphone for a while, maybe for a call. That part wasn’t recorded.';
export const SILENT_TAKE_MESSAGE =
  'We can’t hear anything in this recording. Check that the microphone isn’t covered or switched off, then record again.';
export const QUIET_TAKE_MESSAGE =
  'This recording is very quiet. Please listen to it. If it’s too soft, move closer to the microphone and record again.';
export const CLIPPED_TAKE_MESSAGE =
  'This recording is very loud in places. Please listen to it. If it crackles, move back from the microphone and record again.';

/** Messages for a recording that exists only in this page until it is sent. */
export const notStoredMessages: Record<RecordingWriterProblem, string> = {
  full: 'This device has no space left, so your recording will be lost when you close this page. Please send it first.',
  unavailable:
    'This browser can’t save recordings, so yours will be lost when you close this page. Please send it first.',
};

/** Returns the status text shown below the clock. */
export function getRecorderStatusText(recorder: RecorderSnapshot): string {
  switch (recorder.state) {
    case 'asking':
      return 'Waiting for the microphone…';
    case 'counting':
      return recorder.muted || recorder.interrupted
        ? getNotRecordingMessage(recorder)
        : 'Get ready. Not recording yet.';
    case 'recording':
      return recorder.taking
        ? `Recording · ${formatTimeLeft(recorder.secondsLeft)}`
        : getNotRecordingMessage(recorder);
    case 'paused':
      return 'Paused. Not recording.';
    case 'idle':
    case 'failed':
    case 'recorded':
      return 'Press to record, up to 2 minutes. Not recording yet.';
  }
}

/**
 * Returns the announcement for screen readers. It changes with the state and during the count-in, but not
 * with the clock.
 */
export function getRecorderAnnouncement(recorder: RecorderSnapshot): string {
  if (recorder.state === 'counting') return `Recording starts in ${recorder.count}`;
  if (recorder.state === 'recording' && recorder.taking && recorder.nearEnd)
    return 'Recording. 10 seconds left.';
  if (recorder.state === 'recording' && recorder.taking)
    return [...getMissingPartMessages(recorder), 'Recording.'].join(' ');
  if (recorder.state === 'idle' || recorder.state === 'failed') return '';
  return getRecorderStatusText(recorder);
}

/**
 * Returns sentences about missing parts of the current recording. An interruption is reported after it has
 * ended.
 */
export function getMissingPartMessages({
  missedInBackground,
  missedWhileHeld,
  muted,
  interrupted,
}: RecorderSnapshot): readonly string[] {
  return [
    ...(missedInBackground ? [MISSED_IN_BACKGROUND_MESSAGE] : []),
    ...(missedWhileHeld && !muted && !interrupted ? [MISSED_WHILE_INTERRUPTED_MESSAGE] : []),
  ];
}

export const getTakeAnnouncement = (seconds: number) =>
  `Recorded: ${formatDurationInWords(toWholeSeconds(seconds))}.`;

function getNotRecordingMessage({ interrupted, muted }: RecorderSnapshot): string {
  if (interrupted) return 'Not recording: something else is using the microphone, maybe a call.';
  if (muted) return 'Not recording: the microphone is muted.';
  return 'Not recording: no sound is coming from the microphone.';
}

function formatTimeLeft(secondsLeft: number) {
  const whole = Math.ceil(secondsLeft);
  if (whole > 60) return `${formatDuration(whole)} left`;
  return `${whole} second${whole === 1 ? '' : 's'} left`;
}
