import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateDatabase, openDatabase, type ConnectionSettings } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { openLog } from '#server/log.ts';

/** The database that is migrated once; every test file gets a copy. */
export const TEMPLATE_DATABASE = 'yangchen_template';

/** Starts one real database server for all HTTP test files. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-http-'));
  const quiet = () => undefined;
  const postgres = await startEmbeddedPostgres({ dataDir, log: openLog('silent'), fsync: false });
  await runStatement(postgres.connection, `create database ${TEMPLATE_DATABASE}`);
  const template = openDatabase({ ...postgres.connection, database: TEMPLATE_DATABASE }, quiet);
  await migrateDatabase(template);
  await template.close();
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

export async function runStatement(connection: ConnectionSettings, statement: string) {
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
