import { expect, test } from 'vitest';
import { getTakeWarnings } from './take-warnings.ts';

const asked = { stoppedBecause: 'asked', missedInBackground: false, missedWhileHeld: false } as const;

test('returns no warnings for a good take that the user stopped', () => {
  expect(getTakeWarnings({ loudness: 'good' }, asked)).toEqual([]);
});

test('returns all warnings about a take, with its loudness last', () => {
  expect(
    getTakeWarnings(
      { loudness: 'quiet' },
      { stoppedBecause: 'microphone-lost', missedInBackground: true, missedWhileHeld: true },
    ),
  ).toEqual(['microphone-lost', 'missed-in-background', 'missed-while-held', 'quiet']);
  expect(getTakeWarnings({ loudness: 'clipped' }, { ...asked, stoppedBecause: 'limit' })).toEqual([
    'limit',
    'clipped',
  ]);
  expect(getTakeWarnings({ loudness: 'silent' }, asked)).toEqual(['silent']);
});
