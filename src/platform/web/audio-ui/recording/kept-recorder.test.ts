import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from '../../audio/recorder-fakes.ts';
import { createRecorder } from '../../audio/recorder.ts';
import type { RecordingWriter } from '../../takes/recording-writer.ts';
import type { StoredRecording } from '../../takes/stored-recording.ts';
import type { SoundActivity } from '../sound-activity.ts';
import type { ChosenAudio } from '../upload/chosen-audio.ts';
import { activityOf, commandsAfter, createKeptRecorder } from './kept-recorder.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const kept = { id: 'kept' } as StoredRecording;

test('what was recorded is handed over once the device has it, and nothing is missing meanwhile', async () => {
  const { recorder, browser, writer, activities, takes } = await recording();
  browser.node.hear();
  recorder.stop();
  await settled();
  expect([activities, takes]).toEqual([[null, 'recording', 'ending'], []]);
  expect(writer.facts).toMatchObject({ seconds: 0.128, notes: [] });
  writer.answer(kept);
  await settled();
  expect(takes).toMatchObject([{ origin: 'recorded', seconds: 0.128, kept }]);
  expect([activities.at(-1), recorder.getSnapshot().state]).toEqual([null, 'idle']);
});

test('a device that does not answer is not waited for: the take is in the page’s memory', async () => {
  const { recorder, browser, writer, takes } = await recording();
  browser.node.hear();
  recorder.stop();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(takes).toMatchObject([{ seconds: 0.128, kept: null }]);
  expect(writer.calls).toContain('discard');
});

test('left in the middle, the microphone is let go of and what was recorded stays on the device', async () => {
  const { browser, writer, leave, activities } = await recording();
  browser.node.hear();
  const before = [...activities];
  leave();
  await settled();
  expect([writer.calls, browser.track.stopped]).toEqual([['block', 'leave'], 1]);
  expect(activities).toEqual(before);
});

test('left while the device takes it, it hands nothing to a page that has gone', async () => {
  const { recorder, browser, writer, leave, takes } = await recording();
  browser.node.hear();
  recorder.stop();
  leave();
  writer.answer(kept);
  await settled();
  expect(takes).toEqual([]);
});

test('subscribed to again, there is another recorder, which records and keeps', async () => {
  const { recorder, browser, writer, leave, takes } = setUp();
  leave();
  recorder.subscribe(() => undefined);
  recorder.start();
  await settled();
  browser.node.hear();
  recorder.stop();
  writer.answer(kept);
  await settled();
  expect(takes).toMatchObject([{ kept }]);
});

test('what was missed in the background or during a call is noted at once, and once', () => {
  const idle = createRecorder().getSnapshot();
  const recording = { ...idle, state: 'recording' } as const;
  const missed = { ...recording, missedInBackground: true };
  expect(commandsAfter(idle, recording)).toEqual(['keep-shell']);
  expect(commandsAfter(recording, missed)).toEqual(['missed-in-background']);
  expect(commandsAfter(missed, { ...missed, seconds: 3 })).toEqual([]);
  const held = { ...missed, missedWhileHeld: true };
  expect(commandsAfter(missed, held)).toEqual(['missed-while-held']);
  expect(commandsAfter(held, { ...held, seconds: 3 })).toEqual([]);
});

test('from the press until the page has it, a recording is under way', () => {
  const idle = createRecorder().getSnapshot();
  const take = {} as NonNullable<typeof idle.take>;
  const of = (part: Partial<typeof idle>) => activityOf({ ...idle, ...part });
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
  await settled();
  return made;
}

function setUp() {
  const browser = fakeBrowser();
  const recorder = createKeptRecorder({ environment: browser.environment });
  const writer = fakeWriter();
  const activities: SoundActivity[] = [];
  const takes: ChosenAudio[] = [];
  recorder.use({
    keepRecording: () => writer,
    onProblem: () => undefined,
    onActivityChange: (activity) => activities.push(activity),
    onTake: (audio) => takes.push(audio),
  });
  const leave = recorder.subscribe(() => undefined);
  return { recorder, browser, writer, activities, takes, leave };
}

/** A device that answers when the test says so. */
function fakeWriter() {
  const calls: string[] = [];
  let answer: (kept: StoredRecording | null) => void = () => undefined;
  const answered = new Promise<StoredRecording | null>((resolve) => (answer = resolve));
  const writer = {
    calls,
    facts: null as unknown,
    answer,
    onBlock: () => void calls.push('block'),
    note: () => void calls.push('note'),
    finish(facts: unknown) {
      writer.facts = facts;
      return answered;
    },
    leave: async () => void calls.push('leave'),
    discard: async () => void calls.push('discard'),
  } satisfies RecordingWriter & Record<string, unknown>;
  return writer;
}

/** Lets all promises that are ready run their course, and no timer. */
const settled = () => vi.advanceTimersByTimeAsync(0);
