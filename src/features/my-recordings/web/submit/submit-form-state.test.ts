import { expect, test } from 'vitest';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import {
  MISSING_RECORDING_MESSAGE,
  MISSING_RECORDING_TITLE_MESSAGE,
  MAX_RECORDING_MESSAGE_LENGTH,
  MAX_RECORDING_TITLE_LENGTH,
} from '#features/recordings/limits.ts';
import {
  findSubmitBlocker,
  isRecordingOnlyInMemory,
  isSubmissionHandedOff,
  INITIAL_SUBMIT_FORM_STATE,
  RECORDING_SET_ASIDE_MESSAGE,
  getShownProblems,
  submitFormReducer,
  type SubmitFormEvent,
} from './submit-form-state.ts';

const recorded = { origin: 'recorded', name: 'take.wav', kept: null } as unknown as ChosenAudio;
const take = { id: 'kept' } as StoredRecording;
const titled = { title: 'Refuge', message: '' };
const untitled = { title: '  ', message: '' };

const after = (...events: SubmitFormEvent[]) => events.reduce(submitFormReducer, INITIAL_SUBMIT_FORM_STATE);
const chosen = (audio: ChosenAudio | null) => ({ type: 'chosen', audio }) as const;
const pressed = (fields: typeof titled) => ({ type: 'send-pressed', fields }) as const;
const reached = (step: 'filling' | 'sending' | 'waiting' | 'done') =>
  ({ type: 'step-reached', step }) as const;

test('reports a missing title first, then text that is too long, then missing audio', () => {
  const of = (fields: typeof titled, audio: ChosenAudio | null = recorded) =>
    findSubmitBlocker(after(chosen(audio)), fields);
  expect(of(titled)).toBeNull();
  expect(of(untitled, null)).toBe('no-title');
  expect(of({ ...titled, title: 'a'.repeat(MAX_RECORDING_TITLE_LENGTH + 1) }, null)).toBe('long-title');
  expect(of({ ...titled, message: 'a'.repeat(MAX_RECORDING_MESSAGE_LENGTH + 1) }, null)).toBe('long-message');
  expect(of(titled, null)).toBe('no-audio');
  expect(of(titled, { ...recorded, isSetAside: true })).toBe('set-aside');
});

test('shows problems after Submit is pressed, until they are fixed', () => {
  expect(getShownProblems(INITIAL_SUBMIT_FORM_STATE, untitled)).toEqual({
    title: undefined,
    audio: undefined,
  });
  const refused = after(pressed(untitled));
  expect(getShownProblems(refused, untitled)).toEqual({
    title: MISSING_RECORDING_TITLE_MESSAGE,
    audio: MISSING_RECORDING_MESSAGE,
  });
  expect(getShownProblems(refused, titled)).toEqual({ title: undefined, audio: MISSING_RECORDING_MESSAGE });
  const sings = submitFormReducer(refused, { type: 'activity-changed', activity: 'recording' });
  expect(getShownProblems(sings, titled).audio).toBeUndefined();
  const sung = submitFormReducer(sings, chosen(recorded));
  expect(getShownProblems(sung, untitled)).toEqual({
    title: MISSING_RECORDING_TITLE_MESSAGE,
    audio: undefined,
  });
});

test('submitting a recording that was set aside asks to record again or keep it', () => {
  const aside = after(chosen({ ...recorded, isSetAside: true }), pressed(titled));
  expect(getShownProblems(aside, titled)).toEqual({ title: undefined, audio: RECORDING_SET_ASIDE_MESSAGE });
});

test('isSubmissionHandedOff is true from the first wait until a return to the form', () => {
  expect(isSubmissionHandedOff(after(reached('sending')), 'sending')).toBe(false);
  const waited = after(reached('sending'), reached('waiting'), reached('sending'));
  expect([
    isSubmissionHandedOff(waited, 'sending'),
    isSubmissionHandedOff(INITIAL_SUBMIT_FORM_STATE, 'waiting'),
    isSubmissionHandedOff(INITIAL_SUBMIT_FORM_STATE, 'done'),
  ]).toEqual([true, true, true]);
  const back = submitFormReducer(waited, reached('filling'));
  expect([isSubmissionHandedOff(back, 'filling'), isSubmissionHandedOff(back, 'sending')]).toEqual([
    false,
    false,
  ]);
});

test('a returned recording keeps its audio in memory if the device’s copy is gone', () => {
  const returned = (held: StoredRecording | null) =>
    after(chosen({ ...recorded, kept: take }), { type: 'returned', take: held });
  expect([returned(take).audio?.kept, isRecordingOnlyInMemory(returned(take))]).toEqual([take, false]);
  expect([returned(null).audio?.name, isRecordingOnlyInMemory(returned(null))]).toEqual(['take.wav', true]);
  expect(after({ type: 'returned', take }).audio).toBeNull();
});

test('isRecordingOnlyInMemory is true only for recordings not stored on the device', () => {
  expect(isRecordingOnlyInMemory(INITIAL_SUBMIT_FORM_STATE)).toBe(false);
  expect(isRecordingOnlyInMemory(after(chosen({ ...recorded, origin: 'uploaded' })))).toBe(false);
  expect(isRecordingOnlyInMemory(after({ type: 'found', audio: { ...recorded, kept: take } }))).toBe(false);
  expect(isRecordingOnlyInMemory(after(chosen(recorded)))).toBe(true);
});
