import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeRecorderBrowser } from '#web/audio/recorder-fakes.ts';
import { createRecorder } from '#web/audio/recorder.ts';
import type { RecordingWriter, RecordingWriterProblem } from '../takes/recording-writer.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import type { SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { getSoundActivity, getRecorderCommands, createStoringRecorder } from './storing-recorder.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const kept = { id: 'kept' } as StoredRecording;

test('hands over a take only after the device has stored it', async () => {
  const { recorder, browser, writer, activities, takes } = await recording();
  browser.node.hear();
  recorder.stop();
  await flushPromises();
  expect([activities, takes]).toEqual([[null, 'recording', 'ending'], []]);
  expect(writer.facts).toMatchObject({ seconds: 0.128, notes: [] });
  writer.answer(kept);
  await flushPromises();
  expect(takes).toMatchObject([{ origin: 'recorded', seconds: 0.128, kept }]);
  expect([activities.at(-1), recorder.get().state]).toEqual([null, 'idle']);
});

test('hands over a take from memory if the device does not respond', async () => {
  const { recorder, browser, writer, takes } = await recording();
  browser.node.hear();
  recorder.stop();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(takes).toMatchObject([{ seconds: 0.128, kept: null, notKept: 'unavailable' }]);
  expect(writer.calls).toContain('discard');
});

test('a reset during recording discards the take and releases the microphone', async () => {
  const { recorder, browser, writer, takes } = await recording();
  browser.node.hear();
  recorder.reset();
  await flushPromises();
  expect([writer.calls, takes, browser.track.stopped]).toEqual([['block', 'discard'], [], 1]);
});

test('leaving during recording releases the microphone and keeps the take', async () => {
  const { browser, writer, leave, activities } = await recording();
  browser.node.hear();
  const before = [...activities];
  leave();
  await flushPromises();
  expect([writer.calls, browser.track.stopped]).toEqual([['block', 'leave'], 1]);
  expect(activities).toEqual(before);
});

test('leaving during recording hands over the take if the device is full', async () => {
  const { browser, writer, leave, left, takes } = await recording();
  browser.node.hear();
  writer.isFull('full');
  leave();
  await flushPromises();
  expect(left).toMatchObject([{ origin: 'recorded', seconds: 0.128, kept: null, notKept: 'full' }]);
  expect(left[0]!.blob.size).toBeGreaterThan(8_000);
  expect([takes, writer.calls]).toEqual([[], ['block', 'leave', 'discard']]);
});

test('leaving during recording hands over the take if the device does not respond', async () => {
  const { browser, writer, leave, left } = await recording();
  browser.node.hear();
  writer.isSilent();
  leave();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(left).toMatchObject([{ seconds: 0.128, kept: null, notKept: 'unavailable' }]);
  expect(writer.calls).toContain('discard');
});

test('does not hand over the take if the device stores it after the user has left', async () => {
  const { recorder, browser, writer, leave, takes, left } = await recording();
  browser.node.hear();
  recorder.stop();
  leave();
  writer.answer(kept);
  await flushPromises();
  expect([takes, left]).toEqual([[], []]);
});

test('hands over the take if the device fails to store it after the user has left', async () => {
  const { recorder, browser, writer, leave, takes, left } = await recording();
  browser.node.hear();
  recorder.stop();
  await flushPromises();
  leave();
  writer.isFull('full');
  writer.answer(null);
  await flushPromises();
  expect([takes, left]).toMatchObject([[], [{ seconds: 0.128, kept: null, notKept: 'full' }]]);
});

test('after leaving, subscribing again creates a recorder that records and stores', async () => {
  const { recorder, browser, writer, leave, takes } = setUp();
  leave();
  recorder.subscribe(() => undefined);
  recorder.start();
  await flushPromises();
  browser.node.hear();
  recorder.stop();
  writer.answer(kept);
  await flushPromises();
  expect(takes).toMatchObject([{ kept }]);
});

test('warns only once about a call or a switch to the background', () => {
  const idle = createRecorder().get();
  const recording = { ...idle, state: 'recording' } as const;
  const missed = { ...recording, missedInBackground: true };
  expect(getRecorderCommands(idle, recording)).toEqual(['keep-shell']);
  expect(getRecorderCommands(recording, missed)).toEqual(['missed-in-background']);
  expect(getRecorderCommands(missed, { ...missed, seconds: 3 })).toEqual([]);
  const held = { ...missed, missedWhileHeld: true };
  expect(getRecorderCommands(missed, held)).toEqual(['missed-while-held']);
  expect(getRecorderCommands(held, { ...held, seconds: 3 })).toEqual([]);
});

test('reports activity from pressing Record until the page has the take', () => {
  const idle = createRecorder().get();
  const take = {} as NonNullable<typeof idle.take>;
  const of = (part: Partial<typeof idle>) => getSoundActivity({ ...idle, ...part });
  expect([of({}), of({ state: 'failed' })]).toEqual([null, null]);
  for (const state of ['asking', 'counting', 'recording', 'paused'] as const)
    expect(of({ state })).toBe('recording');
  expect([of({ state: 'paused', stopping: true }), of({ state: 'recorded', take })]).toEqual([
    'ending',
    'ending',
  ]);
});

async function recording() {
  const made = setUp();
  made.recorder.start();
  await flushPromises();
  return made;
}

function setUp() {
  const browser = createFakeRecorderBrowser();
  const recorder = createStoringRecorder({ environment: browser.environment });
  const writer = fakeWriter();
  const activities: SoundActivity[] = [];
  const takes: ChosenAudio[] = [];
  const left: ChosenAudio[] = [];
  recorder.setHandlers({
    storeRecording(_, onProblem) {
      writer.tell = onProblem;
      return writer;
    },
    onProblem: () => undefined,
    onActivityChange: (activity) => activities.push(activity),
    onTake: (audio) => takes.push(audio),
    onLeft: (audio) => left.push(audio),
  });
  const leave = recorder.subscribe(() => undefined);
  return { recorder, browser, writer, activities, takes, left, leave };
}

/** Creates a fake writer whose responses the test controls. */
function fakeWriter() {
  const calls: string[] = [];
  let answer: (kept: StoredRecording | null) => void = () => undefined;
  const answered = new Promise<StoredRecording | null>((resolve) => (answer = resolve));
  let leaving: Promise<boolean> = Promise.resolve(true);
  const writer = {
    calls,
    facts: null as unknown,
    answer,
    tell: (_: RecordingWriterProblem): void => undefined,
    isFull(problem: RecordingWriterProblem) {
      leaving = Promise.resolve(false);
      writer.tell(problem);
    },
    isSilent: () => void (leaving = new Promise(() => undefined)),
    onBlock: () => void calls.push('block'),
    addNote: () => void calls.push('note'),
    finish(facts: unknown) {
      writer.facts = facts;
      return answered;
    },
    abandon() {
      calls.push('leave');
      return leaving;
    },
    discard: async () => void calls.push('discard'),
  } satisfies RecordingWriter & Record<string, unknown>;
  return writer;
}

/** Runs the handlers of settled promises, but no timers. */
const flushPromises = () => vi.advanceTimersByTimeAsync(0);
