import { expect, test } from 'vitest';
import { createLedger } from './ledger.ts';

test('reports confirmed values that are missing or different', () => {
  const ledger = createLedger();
  ledger.confirm('recording A', 'one');
  ledger.confirm('recording B', 'two');
  expect(ledger.compare(new Map([['recording B', ['other']]]))).toEqual([
    'recording A was confirmed as one, and is gone',
    'recording B was confirmed as two, and is other',
  ]);
});

test('accepts an unconfirmed value, whether or not it is stored', () => {
  const ledger = createLedger();
  ledger.request('draft A', 'one');
  expect(ledger.compare(new Map())).toEqual([]);
  expect(ledger.compare(new Map([['draft A', ['one']]]))).toEqual([]);
});

test('reports duplicates', () => {
  const ledger = createLedger();
  ledger.confirm('recording A', 'one');
  expect(ledger.compare(new Map([['recording A', ['one', 'one']]]))).toEqual([
    'recording A is there 2 times',
  ]);
});
