import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeErrorForLog } from './log.ts';

test('logs a failed query without its parameters', () => {
  const failure = new DrizzleQueryError(
    'insert into "users" values ($1)',
    ['$argon2id$secret'],
    new Error('refused'),
  );
  const written = JSON.stringify(describeErrorForLog(new Error('outer', { cause: failure })));
  expect(written).toContain('insert into');
  expect(written).toContain('refused');
  expect(written).not.toContain('secret');
});

test('logs a thrown value that is not an Error', () => {
  expect(describeErrorForLog('odd')).toEqual({ message: 'odd' });
});
