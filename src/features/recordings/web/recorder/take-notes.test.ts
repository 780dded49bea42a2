import { expect, test } from 'vitest';
import { notesOn } from './take-notes.ts';

const asked = { stoppedBecause: 'asked', missedInBackground: false, missedWhileHeld: false } as const;

test('of a good take that one stopped oneself there is nothing to say', () => {
  expect(notesOn({ loudness: 'good' }, asked)).toEqual([]);
});

test('everything that is wrong with a take is said, in the order in which one would ask', () => {
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
