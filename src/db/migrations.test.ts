import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../platform/server/project.ts';
import { migrationsFolder } from './migrations.ts';

/** The last migration from before this rule. */
const LAST_EXEMPT = '0010_lists_by_page.sql';

const changelog = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8');
const released = [...changelog.matchAll(/^## \[(\d[\w.-]*)\]/gm)].map(([, version]) => version);

const migrations = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));

test('migrations expand the schema, and contract only what no release uses any more', () => {
  expect(migrations).toContain(LAST_EXEMPT);
  const wrong = migrations
    .filter((name) => name > LAST_EXEMPT)
    .flatMap((name) =>
      contractions(readFileSync(join(migrationsFolder, name), 'utf8')).map(
        (statement) => `${name}: ${statement}`,
      ),
    );
  expect(wrong, 'docs/decisions/005-upgrades.md says what to do instead').toEqual([]);
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
  'CREATE TABLE "a" ("b" text);--> statement-breakpoint\n-- A reason.\ndrop table "songs";',
  '-- Contract: not used since 99.0.0.\nDROP TABLE "songs";',
])('refused: %s', (sql) => {
  expect(contractions(sql)).toHaveLength(1);
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
])('allowed: %s', (sql) => {
  expect(contractions(sql)).toEqual([]);
});

/** The statements that would break an older version at work on the same database, and do not say why they don't. */
function contractions(sql: string): string[] {
  return sql
    .split('--> statement-breakpoint')
    .filter((statement) => {
      const code = statement.replaceAll(/^--.*$/gm, '');
      const contracts =
        /\bdrop\s+(table|schema|view|type|column)\b|\brename\b|\bset\s+not\s+null\b|\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b|\bdrop\s+default\b|\bdrop\s+"/i.test(
          code,
        ) ||
        (/\badd\s+(column\b|")/i.test(code) && /\bnot\s+null\b/i.test(code) && !/\bdefault\b/i.test(code));
      const since = /^-- Contract: not used since (\S+)\.$/m.exec(statement)?.[1];
      return contracts && (since === undefined || !released.includes(since));
    })
    .map((statement) => statement.trim());
}
