import type { MicrophoneProblem } from '../audio/microphone.ts';
import type { KeeperProblem } from '../takes/take-keeper.ts';
import type { RecorderSnapshot } from '../audio/recorder.ts';
import { duration, spokenDuration } from '../ui/duration.ts';

export const MICROPHONE_FAILED = 'Could not access microphone. Please check your browser permissions.';

export const INSECURE =
  'Recording needs a secure address (https or localhost). Uploading an audio file works here all the same.';

/** What one can do, in a sentence of our own beneath the specified one. */
export const whatToDo: Record<MicrophoneProblem, string> = {
  insecure: INSECURE,
  refused:
    'Press the sign beside the address at the top, allow the microphone for this page, then try again. You can also upload a file.',
  'no-microphone': 'No microphone was found. Connect one and try again, or upload a file.',
  'in-use':
    'Another program may be using the microphone: end the call or close that program, then try again.',
  unsupported: 'This browser cannot record. Try a newer one, or upload a file.',
  worklet: 'The recorder could not start. Load the page again, or upload a file.',
};

export const LIMIT_REACHED =
  'The 2-minute limit has been reached. The recording has stopped by itself and is kept.';
export const MICROPHONE_LOST = 'The microphone was disconnected. What was recorded until then is kept.';
export const SILENT_TAKE =
  'Nothing can be heard in this recording. Please check that the microphone is not covered or switched off, then record again.';

/** Until it is sent such a recording is in this page alone. */
export const notKept: Record<KeeperProblem, string> = {
  full: 'This device has no room left, so the recording is kept in this page only. Please send it before you close the page.',
  unavailable:
    'This browser keeps nothing on the device, so the recording is kept in this page only. Please send it before you close the page.',
};

/** The line beneath the clock. */
export function statusLine(recorder: RecorderSnapshot): string {
  switch (recorder.state) {
    case 'asking':
      return 'Waiting for the microphone…';
    case 'recording':
      return recorder.taking ? `Recording · ${timeLeft(recorder.secondsLeft)}` : notTaking(recorder);
    case 'paused':
      return 'Paused. Nothing is being recorded.';
    case 'idle':
    case 'failed':
    case 'recorded':
      return 'Press to record, up to 2 minutes.';
  }
}

/** What screen readers hear: changes, not each second. */
export function announcement(recorder: RecorderSnapshot): string {
  if (recorder.state === 'recording' && recorder.taking && recorder.nearEnd)
    return 'Recording. 10 seconds left.';
  if (recorder.state === 'recording' && recorder.taking) return 'Recording.';
  if (recorder.state === 'idle' || recorder.state === 'failed') return '';
  return statusLine(recorder);
}

export const takeAnnouncement = (seconds: number) => `Recorded: ${spokenDuration(seconds)}.`;

const notTaking = ({ interrupted }: RecorderSnapshot) =>
  interrupted
    ? 'Nothing is being recorded: your device holds the sound, perhaps for a call.'
    : 'Nothing is being recorded: the microphone is muted.';

function timeLeft(secondsLeft: number) {
  const whole = Math.ceil(secondsLeft);
  if (whole > 60) return `${duration(whole)} left`;
  return `${whole} second${whole === 1 ? '' : 's'} left`;
}
