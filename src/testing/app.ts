import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, inject } from 'vitest';
import { openDatabase } from '../db/database.ts';
import type { Limits } from '../db/pool.ts';
import { openChangeFeed } from '../platform/server/changes.ts';
import { openLog } from '../platform/server/log.ts';
import { openDiskStore } from '../platform/server/media/disk.ts';
import { openStaging } from '../platform/server/media/staging.ts';
import type { MediaStore } from '../platform/server/media/store.ts';
import { readSettings } from '../platform/server/settings.ts';
import { createServer, createServices, type Parts, type Services } from '../server.ts';
import { buildersFor } from './builders.ts';
import { Client } from './client.ts';
import { run, TEMPLATE } from './postgres.ts';

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

type Options = {
  environment?: NodeJS.ProcessEnv;
  ffmpegPath?: string | null;
  /** Another server on the database and the files of this one, as a restart or a second process is. */
  beside?: { databaseName: string; dataDir: string };
  /** What stands between the program and its database. */
  through?: { host: string; port: number };
  /** Other limits than the program's. */
  limits?: Partial<Limits>;
  /** Puts something between the program and its store, e.g. one that fails. */
  store?: (real: MediaStore) => MediaStore;
  /** Puts something in place of a service. */
  services?: (made: Services, parts: Parts) => Services;
  /** Puts more on the server before it listens. */
  prepare?: (server: Awaited<ReturnType<typeof createServer>>, parts: Parts, services: Services) => void;
};

/** The whole server on a port and a database of its own, ended after the test file. */
export async function startTestApp(options: Options = {}) {
  const { beside } = options;
  const postgres = inject('postgres');
  const name: string = beside?.databaseName ?? `test_${randomUUID().replaceAll('-', '')}`;
  if (!beside) await run(postgres, `create database ${name} template ${TEMPLATE}`);
  const dataDir: string = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'yangchen-test-')));
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal', ...options.environment });
  const connection = { ...postgres, ...options.through, database: name };
  const database = openDatabase(connection, () => undefined, {
    size: settings.databasePool,
    ...options.limits,
  });
  const disk = openDiskStore(join(dataDir, 'media'));
  let now: Date | null = null;
  const parts = {
    settings,
    database,
    store: options.store?.(disk) ?? disk,
    staging: openStaging(join(dataDir, 'staging')),
    ffmpegPath: options.ffmpegPath ?? null,
    log: openLog(settings.logLevel),
    clock: () => now ?? new Date(),
  };
  const made = createServices(parts);
  const services = options.services?.(made, parts) ?? made;
  await services.levels.initialise();
  const changes = openChangeFeed(connection, parts.log);
  const server = await createServer(parts, services, changes);
  options.prepare?.(server, parts, services);
  const { app } = server;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  afterAll(async () => {
    await app.close();
    await services.passwords.idle();
    await changes.close();
    await database.close();
    if (beside) return;
    await run(postgres, `drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  });

  const clientOf = async (user: { id: string }) => {
    const client = new Client(url);
    client.cookies.set('session', await services.sessions.start(user.id, parts.clock()));
    return client;
  };
  return {
    app,
    url,
    settings,
    services,
    database,
    db: database.db,
    databaseName: name,
    dataDir,
    store: disk,
    clock: {
      now: parts.clock,
      set: (to: Date) => (now = to),
      advance: (ms: number) => (now = new Date(parts.clock().getTime() + ms)),
      reset: () => (now = null),
    },
    /** Nobody yet. */
    visitor: () => new Client(url),
    /** A browser in which this user is signed in. */
    as: clientOf,
    make: buildersFor(services, database.db, parts.staging),
    count: async (table: string) => {
      const { rows } = await database.db.execute<{ count: number }>(
        sql`select count(*)::int as count from ${sql.identifier(table)}`,
      );
      return rows[0]!.count;
    },
    /** The names of all files in the store. */
    async files() {
      const names: string[] = [];
      for await (const { name: file } of disk.list()) names.push(file);
      return names;
    },
  };
}
