import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test('a failed query is logged without its parameters', () => {
  const failure = new DrizzleQueryError(
    'insert into "users" values ($1)',
    ['$argon2id$secret'],
    new Error('refused'),
  );
  const written = JSON.stringify(describeError(new Error('outer', { cause: failure })));
  expect(written).toContain('insert into');
  expect(written).toContain('refused');
  expect(written).not.toContain('secret');
});

test('a thrown value that is not an Error is logged too', () => {
  expect(describeError('odd')).toEqual({ message: 'odd' });
});
