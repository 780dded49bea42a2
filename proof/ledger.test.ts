import { expect, test } from 'vitest';
import { newLedger } from './ledger.ts';

test('what was confirmed and is missing or different is lost', () => {
  const ledger = newLedger();
  ledger.confirm('recording A', 'one');
  ledger.confirm('recording B', 'two');
  const { lost } = ledger.compare(new Map([['recording B', ['other']]]));
  expect(lost).toEqual([
    'recording A was confirmed as one, and is gone',
    'recording B was confirmed as two, and is other',
  ]);
});

test('what was requested and never answered may be there or not, and from then on is what it was found to be', () => {
  const ledger = newLedger();
  ledger.ask('draft A', 'one');
  expect(ledger.compare(new Map()).lost).toEqual([]);
  expect(ledger.compare(new Map([['draft A', ['one']]])).lost).toEqual([]);
  ledger.confirm('draft A', 'two');
  expect(ledger.compare(new Map([['draft A', ['one']]])).lost).toHaveLength(1);
});

test('what is there twice is a duplicate', () => {
  const ledger = newLedger();
  ledger.confirm('recording A', 'one');
  expect(ledger.compare(new Map([['recording A', ['one', 'one']]]))).toEqual({ lost: [], duplicates: 1 });
});
