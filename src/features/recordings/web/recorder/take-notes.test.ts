import { expect, test } from 'vitest';
import { notesOn } from './take-notes.ts';

const asked = { stoppedBecause: 'asked', missedInBackground: false, missedWhileHeld: false } as const;

test('has no notes on a good take that the singer stopped', () => {
  expect(notesOn({ loudness: 'good' }, asked)).toEqual([]);
});

test('lists everything wrong with a take, the most obvious first', () => {
  expect(
    notesOn(
      { loudness: 'quiet' },
      { stoppedBecause: 'microphone-lost', missedInBackground: true, missedWhileHeld: true },
    ),
  ).toEqual(['microphone-lost', 'missed-in-background', 'missed-while-held', 'quiet']);
  expect(notesOn({ loudness: 'clipped' }, { ...asked, stoppedBecause: 'limit' })).toEqual([
    'limit',
    'clipped',
  ]);
  expect(notesOn({ loudness: 'silent' }, asked)).toEqual(['silent']);
});
