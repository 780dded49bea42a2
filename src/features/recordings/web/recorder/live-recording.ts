import type { RecorderSnapshot } from '#web/audio/recorder.ts';

/** The recording in progress, for parts of the page outside the recorder. */
export type LiveRecording = {
  readonly state: 'off' | 'starting' | 'recording' | 'paused' | 'interrupted';
  /** Duration recorded so far. */
  readonly seconds: number;
};

export const NO_LIVE_RECORDING: LiveRecording = { state: 'off', seconds: 0 };

export const toLiveRecording = ({ state, taking, seconds }: RecorderSnapshot): LiveRecording => ({
  state: toLiveState(state, taking),
  seconds,
});

function toLiveState(state: RecorderSnapshot['state'], isTaking: boolean): LiveRecording['state'] {
  if (state === 'asking' || state === 'counting') return 'starting';
  if (state === 'recording') return isTaking ? 'recording' : 'interrupted';
  return state === 'paused' ? 'paused' : 'off';
}
