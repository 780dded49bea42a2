import { expect, test } from 'vitest';
import { describeDatabaseLocation } from './prepare-database.ts';

test.each([
  ['postgres://singer:secret@db.example:6432/songs?sslmode=require', 'songs at db.example:6432'],
  ['postgres://singer:secret@/songs?host=/run/postgresql', 'songs at /run/postgresql'],
  [null, 'embedded in /data/postgres'],
])('describes the database of %s without user and password', (databaseUrl, description) =>
  expect(describeDatabaseLocation({ databaseUrl, dataDir: '/data' })).toBe(description),
);
