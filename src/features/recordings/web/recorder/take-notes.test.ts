import { expect, test } from 'vitest';
import { getTakeNotes } from './take-notes.ts';

const asked = { stoppedBecause: 'asked', missedInBackground: false, missedWhileHeld: false } as const;

test('returns no warnings for a good take that the user stopped', () => {
  expect(getTakeNotes({ loudness: 'good' }, asked)).toEqual([]);
});

test('returns all warnings about a take, the most obvious first', () => {
  expect(
    getTakeNotes(
      { loudness: 'quiet' },
      { stoppedBecause: 'microphone-lost', missedInBackground: true, missedWhileHeld: true },
    ),
  ).toEqual(['microphone-lost', 'missed-in-background', 'missed-while-held', 'quiet']);
  expect(getTakeNotes({ loudness: 'clipped' }, { ...asked, stoppedBecause: 'limit' })).toEqual([
    'limit',
    'clipped',
  ]);
  expect(getTakeNotes({ loudness: 'silent' }, asked)).toEqual(['silent']);
});
