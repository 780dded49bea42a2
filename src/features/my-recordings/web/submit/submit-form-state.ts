import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { isBeingRecorded, type SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { isTextTooLong } from '#web/ui/text-limit.tsx';
import {
  MISSING_RECORDING_MESSAGE,
  MISSING_RECORDING_TITLE_MESSAGE,
  MAX_RECORDING_MESSAGE_LENGTH,
  MAX_RECORDING_TITLE_LENGTH,
} from '#features/recordings/limits.ts';
import type { SubmissionState } from './submission-state.ts';

export const RECORDING_SET_ASIDE_MESSAGE =
  'Record again, or press “Keep my recording” to send the one you have.';

export type SubmitFormState = {
  readonly audio: ChosenAudio | null;
  readonly activity: SoundActivity;
  /** Whether the device has failed to store a recording. */
  readonly isStorageFailing: boolean;
  /** Problems found when Submit was last pressed; shown until they are fixed. */
  readonly problems: { readonly title?: string; readonly audio?: string };
  /** Whether the submitted recording has had to wait on the device. */
  readonly hasWaited: boolean;
};

type Fields = { readonly title: string; readonly message: string };

export type SubmitFormEvent =
  /** Audio was recorded, chosen or removed. */
  | { readonly type: 'chosen'; readonly audio: ChosenAudio | null }
  /** An abandoned take was found on the device. */
  | { readonly type: 'found'; readonly audio: ChosenAudio }
  /** A submitted recording has returned to the form. `take` is null if the device no longer has it. */
  | { readonly type: 'returned'; readonly take: StoredRecording | null }
  | { readonly type: 'activity-changed'; readonly activity: SoundActivity }
  | { readonly type: 'not-kept' }
  | { readonly type: 'send-pressed'; readonly fields: Fields }
  | { readonly type: 'step-reached'; readonly step: SubmissionState['step'] };

/** Reasons why the recording can't be sent, in the order in which they are checked. */
export type SubmitBlocker = 'no-title' | 'long-title' | 'long-message' | 'set-aside' | 'no-audio';

export const INITIAL_SUBMIT_FORM_STATE: SubmitFormState = {
  audio: null,
  activity: null,
  isStorageFailing: false,
  problems: {},
  hasWaited: false,
};

export function submitFormReducer(state: SubmitFormState, event: SubmitFormEvent): SubmitFormState {
  switch (event.type) {
    case 'chosen': {
      const { title } = state.problems;
      return { ...state, audio: event.audio, problems: title === undefined ? {} : { title } };
    }
    case 'found':
      return { ...state, audio: event.audio };
    case 'returned':
      return { ...state, audio: state.audio && { ...state.audio, kept: event.take } };
    case 'activity-changed':
      return { ...state, activity: event.activity };
    case 'not-kept':
      return { ...state, isStorageFailing: true };
    case 'send-pressed': {
      const audio = findAudioBlocker(state.audio);
      return {
        ...state,
        problems: {
          ...(isBlank(event.fields.title) && { title: MISSING_RECORDING_TITLE_MESSAGE }),
          ...(audio && {
            audio: audio === 'set-aside' ? RECORDING_SET_ASIDE_MESSAGE : MISSING_RECORDING_MESSAGE,
          }),
        },
      };
    }
    case 'step-reached':
      if (event.step === 'waiting') return { ...state, hasWaited: true };
      return event.step === 'filling' ? { ...state, hasWaited: false } : state;
  }
}

/** Returns what prevents sending; null if the recording can be sent. */
export function findSubmitBlocker(
  { audio }: SubmitFormState,
  { title, message }: Fields,
): SubmitBlocker | null {
  if (isBlank(title)) return 'no-title';
  if (isTextTooLong(title, MAX_RECORDING_TITLE_LENGTH)) return 'long-title';
  if (isTextTooLong(message, MAX_RECORDING_MESSAGE_LENGTH)) return 'long-message';
  return findAudioBlocker(audio);
}

/** Returns the problems found when Submit was last pressed that have not been fixed yet. */
export function getShownProblems(
  { problems, audio, activity }: SubmitFormState,
  { title }: Pick<Fields, 'title'>,
) {
  return {
    title: isBlank(title) ? problems.title : undefined,
    audio: findAudioBlocker(audio) && !isBeingRecorded(activity) ? problems.audio : undefined,
  };
}

/**
 * Returns whether the form can close: the recording has arrived, or is sent in the background. Once a
 * recording has waited, the form stays closed when sending resumes.
 */
export const isSubmissionHandedOff = ({ hasWaited }: SubmitFormState, step: SubmissionState['step']) =>
  step === 'waiting' || step === 'done' || (step === 'sending' && hasWaited);

/** Returns whether the recording is only in this page's memory and would be lost with the page. */
export const isRecordingOnlyInMemory = ({ audio }: SubmitFormState) =>
  audio?.origin === 'recorded' && !audio.kept;

const isBlank = (title: string) => title.trim() === '';

function findAudioBlocker(audio: ChosenAudio | null): 'set-aside' | 'no-audio' | null {
  if (audio === null) return 'no-audio';
  return audio.isSetAside ? 'set-aside' : null;
}
