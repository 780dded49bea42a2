import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateDatabase, openDatabase, type Connection } from '../db/database.ts';
import { startEmbeddedPostgres } from '../platform/server/embedded-postgres/start.ts';

/** Migrated once; every test file gets a copy of its own. */
export const TEMPLATE = 'yangchen_template';

/** Starts one real database for all the test files that go through HTTP. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-http-'));
  const quiet = () => undefined;
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: quiet, warn: quiet, error: quiet } });
  await forgetDurability((statement) => run(postgres.connection, statement));
  await run(postgres.connection, `create database ${TEMPLATE}`);
  const template = openDatabase({ ...postgres.connection, database: TEMPLATE }, quiet);
  await migrateDatabase(template);
  await template.close();
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Spares a database the waiting for its disk. It still survives the end of its processes, though no power cut. */
export async function forgetDurability(run: (statement: string) => Promise<unknown>): Promise<void> {
  await run('alter system set fsync = off');
  await run('select pg_reload_conf()');
}

export async function run(connection: Connection, statement: string) {
  const database = openDatabase(connection, () => undefined);
  try {
    await database.pool.query(statement);
  } finally {
    await database.close();
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; database: string };
  }
}
