import { expect, test } from 'vitest';
import { CallError } from '../api/call.ts';
import { joinSentences, explainError } from './sentences.ts';

test.each([
  ['Server says no', 'Server says no. Your reply is still here.'],
  ['Server says no.', 'Server says no. Your reply is still here.'],
  ['Is it there?', 'Is it there? Your reply is still here.'],
  ['There is no “Refuge.”', 'There is no “Refuge.” Your reply is still here.'],
])('joins “%s” with a second sentence: “%s”', (said, whole) =>
  expect(joinSentences(said, 'Your reply is still here.')).toBe(whole),
);

test('uses the fallback sentence if the server gives no reason', () => {
  expect(explainError(new CallError(500, 'x'), 'The server did not say why.', 'It is kept.')).toBe(
    'The server did not say why. It is kept.',
  );
});
