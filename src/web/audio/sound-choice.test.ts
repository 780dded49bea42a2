import { expect, test, vi } from 'vitest';
import {
  setAudioQuality,
  type ConnectionStats,
  chooseSoundCopy,
  chooseSoundCopyForConnection,
  isPoorConnection,
  setDeviceSounds,
  reportUnderrun,
} from './sound-choice.ts';

const seen = (given: Partial<ConnectionStats> = {}): ConnectionStats => ({
  ...{ network: undefined, fetched: [], now: 1_000_000, ranDryAt: null },
  ...given,
});
/** Fakes a request whose bytes took this long to arrive. By default, the last byte arrived a second ago. */
const came = (transferSize: number, milliseconds: number, ended = 999_000) => ({
  ...{ transferSize, responseStart: ended - milliseconds, responseEnd: ended },
});

test.each([
  ['good if nothing is known about it', seen(), false],
  ['poor if the user wants to save data', seen({ network: { saveData: true, effectiveType: '4g' } }), true],
  ['poor if the network is slow', seen({ network: { effectiveType: '3g' } }), true],
  ['good if the network is fast', seen({ network: { effectiveType: '4g' } }), false],
  ['poor if 100 KB took two seconds', seen({ fetched: [came(100_000, 2_000)] }), true],
  ['good if 100 KB took a tenth of a second', seen({ fetched: [came(100_000, 100)] }), false],
  [
    'good if two concurrent requests were fast together',
    seen({ fetched: [came(60_000, 600), came(60_000, 600)] }),
    false,
  ],
  [
    'poor if two concurrent requests were slow together',
    seen({ fetched: [came(60_000, 2_000), came(60_000, 2_000)] }),
    true,
  ],
  ['good if too few bytes were fetched to tell', seen({ fetched: [came(4_000, 2_000)] }), false],
  ['good if the file came from a cache', seen({ fetched: [came(0, 2_000), came(10_000, 1)] }), false],
  ['good if the slow download was long ago', seen({ fetched: [came(100_000, 2_000, 100_000)] }), false],
  ['poor if playback stalled recently', seen({ ranDryAt: 990_000 }), true],
  ['good if playback stalled long ago', seen({ ranDryAt: 100_000 }), false],
])('a connection counts as %s', (_, connection, expected) => {
  expect(isPoorConnection(connection)).toBe(expected);
});

test.each([
  ['automatic', true, ['small', 'full'], 'small'],
  ['automatic', false, ['small', 'full'], 'full'],
  ['automatic', false, ['small'], null],
  ['automatic', true, ['full'], 'full'],
  ['automatic', true, [], null],
  ['small', false, ['small'], 'small'],
  ['full', true, ['small', 'full'], 'full'],
  ['full', true, ['small'], null],
] as const)('setting %s, poor connection %s, copies %j: chooses %s', (setting, poor, copies, copy) => {
  expect(chooseSoundCopy(copies, setting, () => poor)).toBe(copy);
});

test('chooses the small copy after playback ran out of data, but not after a seek', () => {
  vi.stubGlobal('navigator', {});
  setAudioQuality('automatic');
  const sound = { name: 'a.wav', copies: ['small'] as const };
  const playing = { currentTime: 4, paused: false, seeking: false };
  for (const waiting of [{ currentTime: 0 }, { seeking: true }, { paused: true }])
    reportUnderrun({ ...playing, ...waiting });
  expect(chooseSoundCopyForConnection(sound)).toBe(null);
  reportUnderrun(playing);
  expect(chooseSoundCopyForConnection(sound)).toBe('small');
});

test('audio stored on this device plays in its stored form, whatever the setting', () => {
  const sound = { name: 'kept.wav', copies: ['small', 'full'] as const };
  setDeviceSounds(new Map([['kept.wav', 'small']]));
  setAudioQuality('full');
  expect(chooseSoundCopyForConnection(sound)).toBe('small');
  expect(chooseSoundCopyForConnection({ ...sound, name: 'another.wav' })).toBe('full');
  // `null` means that the original is stored.
  setDeviceSounds(new Map([['kept.wav', null]]));
  setAudioQuality('small');
  expect(chooseSoundCopyForConnection(sound)).toBe(null);
  setDeviceSounds(new Map());
  expect(chooseSoundCopyForConnection(sound)).toBe('small');
  setAudioQuality('automatic');
});
