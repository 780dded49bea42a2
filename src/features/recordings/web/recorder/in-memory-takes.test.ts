import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { addInMemoryTake, removeInMemoryTake } from './in-memory-takes.ts';

const page = new EventTarget();
const isWarningBeforeLeaving = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => vi.unstubAllGlobals());

const audio: ChosenAudio = {
  ...{ blob: new Blob(['RIFF']), name: 'take.wav', seconds: 1, origin: 'recorded', peaks: null },
  notKept: 'full',
};
const take = { userId: 'tashi', purpose: 'practice 1', sending: null, audio };

test('returns a take to its owner once, and warns before leaving while takes remain', () => {
  const [first, second] = [addInMemoryTake(take), addInMemoryTake(take)];
  expect(removeInMemoryTake(first.id, 'pema')).toBeNull();
  expect(removeInMemoryTake(first.id, 'tashi')).toBe(audio);
  expect(removeInMemoryTake(first.id, 'tashi')).toBeNull();
  expect(isWarningBeforeLeaving()).toBe(true);
  expect(removeInMemoryTake(second.id, 'tashi')).toBe(audio);
  expect(isWarningBeforeLeaving()).toBe(false);
});
