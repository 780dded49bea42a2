import { afterEach, expect, test, vi } from 'vitest';
import { NO_LOOP } from '#web/audio/loop.ts';
import { setPageUserId } from '#web/api/page-user.ts';
import {
  savePracticeSettings,
  loadPracticeSettings,
  listLastPractisedMelodies,
  getNextRepeatsPreset,
  DEFAULT_PRACTICE_SETTINGS,
  saveLastPractisedMelody,
  parsePracticeSettings,
  roundPlaybackRate,
  parseRepeats,
  getNextRatePreset,
} from './practice-settings.ts';

afterEach(() => vi.unstubAllGlobals());

const chosen = {
  rate: 0.75,
  volume: 0.4,
  repeats: 7,
  gap: 1.5,
  loop: { kind: 'active', a: 3, b: 9 },
} as const;

test('settings are stored per user and melody', () => {
  vi.stubGlobal('localStorage', new FakeStorage());
  savePracticeSettings('tashi', 4, chosen);
  expect(loadPracticeSettings('tashi', 4, 60)).toEqual(chosen);
  expect(loadPracticeSettings('karma', 4, 60)).toEqual(DEFAULT_PRACTICE_SETTINGS);
  expect(loadPracticeSettings('tashi', 5, 60)).toEqual(DEFAULT_PRACTICE_SETTINGS);
});

test('default settings are not stored', () => {
  const storage = new FakeStorage();
  vi.stubGlobal('localStorage', storage);
  savePracticeSettings('tashi', 4, chosen);
  savePracticeSettings('tashi', 4, DEFAULT_PRACTICE_SETTINGS);
  expect(storage.size).toBe(0);
});

test('falls back to defaults if storage is missing or contains invalid data', () => {
  expect(loadPracticeSettings('tashi', 4, 60)).toEqual(DEFAULT_PRACTICE_SETTINGS);
  const storage = new FakeStorage();
  vi.stubGlobal('localStorage', storage);
  for (const text of ['{', 'null', '7', '[]', '"x"']) {
    storage.setItem('practice tashi 4', text);
    expect(loadPracticeSettings('tashi', 4, 60)).toEqual(DEFAULT_PRACTICE_SETTINGS);
  }
});

test('an invalid setting falls back to its default, and valid settings are kept', () => {
  const bad = { rate: 16, volume: 'loud', repeats: 2.5, gap: -1, loop: { a: 9, b: 3 } };
  expect(parsePracticeSettings(bad, 60)).toEqual(DEFAULT_PRACTICE_SETTINGS);
  expect(parsePracticeSettings({ ...chosen, rate: NaN }, 60)).toEqual({ ...chosen, rate: 1 });
  expect(parsePracticeSettings({ ...chosen, gap: 0.7 }, 60)).toEqual({ ...chosen, gap: 0 });
});

test('drops a loop that ends after the end of the audio', () => {
  expect(parsePracticeSettings(chosen, 8).loop).toEqual(NO_LOOP);
  expect(parsePracticeSettings({ loop: { a: 3 } }, 8).loop).toEqual({ kind: 'a-set', a: 3 });
});

test('lists the ten melodies that the user practised last, newest first', () => {
  vi.stubGlobal('localStorage', new FakeStorage());
  vi.useFakeTimers({ now: 1_000, toFake: ['Date'] });
  setPageUserId('tashi');
  expect(listLastPractisedMelodies()).toEqual([]);
  saveLastPractisedMelody('tashi', { melodyId: 4, line: 2, rate: 0.75 });
  saveLastPractisedMelody('karma', { melodyId: 9, line: null, rate: 1 });
  vi.setSystemTime(2_000);
  saveLastPractisedMelody('tashi', { melodyId: 5, line: null, rate: 1 });
  vi.setSystemTime(3_000);
  saveLastPractisedMelody('tashi', { melodyId: 4, line: 3, rate: 0.5 });
  expect(listLastPractisedMelodies()).toEqual([
    { melodyId: 4, line: 3, rate: 0.5, at: 3_000 },
    { melodyId: 5, line: null, rate: 1, at: 2_000 },
  ]);
  for (let melodyId = 10; melodyId < 30; melodyId += 1)
    saveLastPractisedMelody('tashi', { melodyId, line: 0, rate: 1 });
  expect(listLastPractisedMelodies().map(({ melodyId }) => melodyId)).toEqual([
    29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
  ]);
  vi.useRealTimers();
});

test('lists the last practised melodies despite invalid entries or missing storage', () => {
  setPageUserId('tashi');
  expect(listLastPractisedMelodies()).toEqual([]);
  saveLastPractisedMelody('tashi', { melodyId: 4, line: 2, rate: 0.75 });
  const storage = new FakeStorage();
  vi.stubGlobal('localStorage', storage);
  const good = { melodyId: 4, line: 2, rate: 0.75, at: 5 };
  const bad = [null, 7, { ...good, line: '2' }, { ...good, rate: 16 }, { ...good, at: null }, {}];
  storage.setItem('practised tashi', JSON.stringify([...bad, good]));
  expect(listLastPractisedMelodies()).toEqual([good]);
  for (const text of ['{', '7', 'null', '{"a":1}']) {
    storage.setItem('practised tashi', text);
    expect(listLastPractisedMelodies()).toEqual([]);
  }
});

test('speeds are rounded to steps of 0.05 and clamped to 0.5–1.5', () => {
  expect([0.1, 0.52, 0.7500001, 1.49, 9].map(roundPlaybackRate)).toEqual([0.5, 0.5, 0.75, 1.5, 1.5]);
});

test('the speed and repeats buttons step through presets and wrap around', () => {
  expect([1.3, 1, 0.9, 0.75, 0.6, 0.5].map(getNextRatePreset)).toEqual([1, 0.75, 0.75, 0.5, 0.5, 1]);
  expect([null, 1, 3, 5, 7, 108].map(getNextRepeatsPreset)).toEqual([3, 3, 5, 7, null, null]);
});

test('accepts only whole numbers from 1 to 999 as the number of repeats', () => {
  expect(['1', '4', ' 12 ', '108', '999', '007'].map(parseRepeats)).toEqual([1, 4, 12, 108, 999, 7]);
  for (const typed of ['', ' ', '0', '1000', '3.5', '-2', '1e2', 'four', '0x10'])
    expect(parseRepeats(typed)).toBeNull();
});

class FakeStorage {
  private readonly kept = new Map<string, string>();
  get size() {
    return this.kept.size;
  }
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, text: string) => void this.kept.set(key, text);
  removeItem = (key: string) => void this.kept.delete(key);
}
