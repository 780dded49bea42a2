import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isTransientDatabaseFailure } from './database-errors.ts';

function queryError(code: string) {
  const cause = Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });
  return new DrizzleQueryError('insert', [], cause);
}

test.each([
  ['a read-only server', '25006'],
  ['a server that shuts down', '57P01'],
  ['a lost connection', '08006'],
  ['a server that is out of memory', '53200'],
  ['too many connections', '53300'],
])('treats %s as a transient failure', (_, code) =>
  expect(isTransientDatabaseFailure(queryError(code))).toBe(true),
);

test('does not treat a duplicate key as a transient failure', () =>
  expect(isTransientDatabaseFailure(queryError('23505'))).toBe(false));
