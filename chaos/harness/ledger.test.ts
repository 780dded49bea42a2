import { expect, test } from 'vitest';
import { createLedger } from './ledger.ts';

test('reports a confirmed value that is missing from the store or has changed', () => {
  const ledger = createLedger();
  ledger.recordConfirmation('recording A', 'one');
  ledger.recordConfirmation('recording B', 'two');
  expect(ledger.compare(new Map([['recording B', ['other']]]))).toEqual([
    'recording A was confirmed as one, and is gone',
    'recording B was confirmed as two, and is other',
  ]);
});

test('accepts an unconfirmed value, whether it is stored or missing', () => {
  const ledger = createLedger();
  ledger.recordRequest('draft A', 'one');
  expect(ledger.compare(new Map())).toEqual([]);
  expect(ledger.compare(new Map([['draft A', ['one']]]))).toEqual([]);
});

test('reports a confirmed value that is stored twice', () => {
  const ledger = createLedger();
  ledger.recordConfirmation('recording A', 'one');
  expect(ledger.compare(new Map([['recording A', ['one', 'one']]]))).toEqual([
    'recording A is there 2 times',
  ]);
});
