import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';
import { projectFolder } from '../config/project.ts';
import { migrationsFolder, readMigrations, splitMigrationFile } from './migrations.ts';

/**
 * Time of the newest migration that may break older versions, because it was written before the rule that
 * releases only expand the schema.
 */
const NEWEST_EXEMPT = 1795381309956;

const changelog = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8');
const released = [...changelog.matchAll(/^## \[(\d[\w.-]*)\]/gm)].map(([, version]) => version);

const migrations = readMigrations();
const times = migrations.map(({ folderMillis }) => folderMillis);

test('migrations only expand the schema, or drop what no release uses any more', () => {
  expect(times).toContain(NEWEST_EXEMPT);
  const wrong = migrations
    .filter(({ folderMillis }) => folderMillis > NEWEST_EXEMPT)
    .flatMap(({ sql }) => sql.filter(contracts));
  expect(wrong, 'migrations destroy nothing (see docs/decisions/005-upgrades.md)').toEqual([]);
});

test('migrations are in chronological order, within and across files', () => {
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  const files = readMigrationFiles({ migrationsFolder });
  for (const file of files) expect(splitMigrationFile(file).at(-1)!.folderMillis).toBe(file.folderMillis);
});

test('splits a file of several migrations at its “--> migration” lines', () => {
  const file = {
    sql: ['--> migration 100 songs\nCREATE …;', '\nALTER …;', '\n--> migration 200 words\nUPDATE …;'],
    folderMillis: 200,
    hash: 'x',
    bps: true,
  };
  expect(splitMigrationFile(file)).toEqual([
    { ...file, folderMillis: 100, sql: file.sql.slice(0, 2) },
    { ...file, folderMillis: 200, sql: file.sql.slice(2) },
  ]);
  const plain = { ...file, sql: ['CREATE …;', '\nALTER …;'] };
  expect(splitMigrationFile(plain)).toEqual([plain]);
});

test.each([
  'DROP TABLE "songs" CASCADE;',
  'ALTER TABLE "songs" DROP COLUMN "words";',
  'ALTER TABLE "songs" DROP "words";',
  'ALTER TABLE "songs" RENAME COLUMN "words" TO "text";',
  'ALTER TABLE "songs" RENAME TO "melodies";',
  'ALTER TABLE "songs" ALTER COLUMN "words" SET NOT NULL;',
  'ALTER TABLE "songs" ALTER COLUMN "words" SET DATA TYPE text;',
  'ALTER TABLE "songs" ALTER COLUMN "words" TYPE text;',
  'ALTER TABLE "songs" ALTER COLUMN "words" DROP DEFAULT;',
  'ALTER TABLE "songs" ADD COLUMN "words" text NOT NULL;',
  '-- A reason.\ndrop table "songs";',
  '--> migration 100 songs\nDROP TABLE "songs";',
  '-- Contract: not used since 99.0.0.\nDROP TABLE "songs";',
])('detects a breaking statement: %s', (statement) => {
  expect(contracts(statement)).toBe(true);
});

test.each([
  'CREATE TABLE "songs" ("words" text NOT NULL);',
  'ALTER TABLE "songs" ADD COLUMN "words" text;',
  'ALTER TABLE "songs" ADD COLUMN "words" text DEFAULT \'\' NOT NULL;',
  'ALTER TABLE "songs" ALTER COLUMN "words" DROP NOT NULL;',
  'DROP INDEX "songs_newest";',
  'ALTER TABLE "songs" DROP CONSTRAINT "songs_kind";',
  '-- Nobody may DROP TABLE "songs" here.\nSELECT 1;',
  `-- Contract: not used since ${released.at(-1)}.\nDROP TABLE "songs";`,
])('accepts a compatible statement: %s', (statement) => {
  expect(contracts(statement)).toBe(false);
});

/**
 * Returns whether a statement breaks an older version that uses the same database. Returns false for a
 * breaking statement if its comment names the first release that no longer uses the dropped table or column.
 */
function contracts(statement: string): boolean {
  const code = statement.replaceAll(/^--.*$/gm, '');
  const breaks =
    /\bdrop\s+(table|schema|view|type|column)\b|\brename\b|\bset\s+not\s+null\b|\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b|\bdrop\s+default\b|\bdrop\s+"/i.test(
      code,
    ) ||
    (/\badd\s+(column\b|")/i.test(code) && /\bnot\s+null\b/i.test(code) && !/\bdefault\b/i.test(code));
  const since = /^-- Contract: not used since (\S+)\.$/m.exec(statement)?.[1];
  return breaks && (since === undefined || !released.includes(since));
}
