import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, inject } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import type { DatabaseTimeouts as DatabaseLimits } from '#server/db/pool.ts';
import { announceChange, openChangeFeed } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import { openDataFolder } from '#server/data-folder/data-folder.ts';
import { openSandbox } from '#server/decoding/sandbox.ts';
import { claimStoreForDatabase } from '#server/data-folder/installation.ts';
import { openLog, type Log } from '#server/log.ts';
import { createDiskSpaceMonitor, type DiskSpace } from '#server/media/disk-space.ts';
import { getMediaFolder } from '#server/media/layout.ts';
import { describeMediaLocation, openMediaStore } from '#server/media/open-store.ts';
import { openPartialFiles } from '#server/media/partial-files.ts';
import { openStaging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { createNoticesService } from '#server/notices.ts';
import { readSettings } from '#server/config/settings.ts';
import {
  createServer,
  createServices,
  DEFAULT_SERVER_LIMITS,
  type ServerLimits,
  type ServerDependencies,
  type Services,
} from '#app/server/server.ts';
import { createBuilders } from './builders.ts';
import { TestClient } from './client.ts';
import { inspectAudioWithCache } from './inspect-audio-with-cache.ts';
import { runStatement, TEMPLATE_DATABASE } from './postgres.ts';
import { createRawDiskStorage } from './raw-media-storage.ts';
import { startNginx } from './nginx.ts';
import { getS3TestEnvironment, createRawS3Storage } from './s3.ts';
import { waitFor } from './wait-for.ts';

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

export type TestAppOptions = {
  environment?: NodeJS.ProcessEnv;
  ffmpegPath?: string | null;
  /**
   * Starts a second server on the database and data folder of the first, for example to test a restart or
   * several processes.
   */
  beside?: { databaseName: string; dataDir: string };
  /** Starts one server without a proxy even at scale, for tests of single connections or of per-server counts. */
  alone?: boolean;
  /** Receives the log lines. By default, they go to the terminal. */
  log?: Log;
  /** Reported disk size and free space; ample by default, whatever this machine has. */
  measureDisk?: () => Promise<DiskSpace>;
  /** A proxy between the program and its database. */
  through?: { host: string; port: number };
  /** Overrides the database timeouts. */
  databaseLimits?: Partial<DatabaseLimits>;
  /** Wraps the media store, for example to make it fail. */
  store?: (real: MediaStore) => MediaStore;
  /** Replaces the inspection of audio files. */
  inspect?: ServerDependencies['inspect'];
  /** Replaces some of the services. */
  services?: (made: Services, parts: ServerDependencies) => Services;
  /** Overrides limits of the server, such as timeouts, so that tests need not wait for them. */
  limits?: Partial<ServerLimits>;
  /** Registers routes or hooks on the server before it listens. */
  prepare?: (
    server: Awaited<ReturnType<typeof createServer>>,
    parts: ServerDependencies,
    services: Services,
  ) => void;
};

/** Session details for tests that don't depend on how the user signs in. */
export const TEST_SESSION_DETAILS = { device: 'Firefox on Linux', address: '127.0.0.1', isProved: true };

/**
 * Starts a complete server with its own database, and closes it after the test file. In the tests at scale,
 * there are two servers behind nginx: `url` is nginx's, and everything else belongs to the first server.
 */
export async function startTestApp(options: TestAppOptions = {}) {
  const { beside } = options;
  const postgres = inject('postgres');
  const name: string = beside?.databaseName ?? `test_${randomUUID().replaceAll('-', '')}`;
  if (!beside) await runStatement(postgres, `create database ${name} template ${TEMPLATE_DATABASE}`);
  const dataDir: string = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'yangchen-test-')));
  let now: Date | null = null;
  const clock = () => now ?? new Date();
  const isScaled = inject('isScaled') && !options.alone;
  const proxies = Number(options.environment?.['TRUST_PROXY'] ?? 0) + (isScaled ? 1 : 0);
  const environment = { ...options.environment, TRUST_PROXY: String(proxies) };
  const open = () => openServer(name, dataDir, clock, { ...options, environment });
  const servers = isScaled ? [await open(), await open()] : [await open()];
  const [first] = servers as [Awaited<ReturnType<typeof open>>];
  const proxy = isScaled
    ? await startNginx(
        servers.map(({ url }) => url),
        getMediaFolder(dataDir),
      )
    : null;
  const { settings, database, services, staging, media } = first;
  const url = proxy?.url ?? first.url;

  afterAll(async () => {
    for (const server of servers) await server.close();
    await proxy?.end();
    if (beside) return;
    await runStatement(postgres, `drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  });

  const clientOf = async (user: { id: string }, at = url) => {
    const client = new TestClient(at);
    client.cookies.set('session', await services.sessions.start(user.id, TEST_SESSION_DETAILS, clock()));
    return client;
  };
  return {
    app: first.app,
    url,
    /** URL of the first server, bypassing the proxy. */
    direct: first.url,
    settings,
    services,
    database,
    db: database.db,
    databaseName: name,
    /** Resolves when the servers have finished the work that requests deferred until after their responses. */
    idle: () => Promise.all(servers.map((server) => server.services.afterwards.idle())),
    dataDir,
    dataFolder: first.dataFolder,
    store: media,
    /** The media store as the operator sees and changes it. */
    media: settings.s3
      ? await createRawS3Storage(settings.s3)
      : createRawDiskStorage(getMediaFolder(dataDir)),
    disk: first.disk,
    staging,
    partials: first.partials,
    changes: first.changes,
    /** Resolves once the first server has received every change announced so far. */
    async untilHeard() {
      const before = first.changes.position();
      const nobody = randomUUID();
      await announceChange(database.db, { to: nobody, refreshes: [] });
      await waitFor(() => {
        const receivers = first.changes.since(before)?.map(({ to }) => to);
        expect(receivers).toContainEqual([nobody]);
      });
    },
    clock: {
      now: clock,
      set: (to: Date) => (now = to),
      advance: (ms: number) => (now = new Date(clock().getTime() + ms)),
      reset: () => (now = null),
    },
    /** Creates a client that is not signed in. */
    visitor: () => new TestClient(url),
    /** Creates a client in which this user is signed in. */
    as: clientOf,
    make: createBuilders(services, database.db, staging),
    count: async (table: string) => {
      const { rows } = await database.db.execute<{ count: number }>(
        sql`select count(*)::int as count from ${sql.identifier(table)}`,
      );
      return rows[0]!.count;
    },
    /** Returns the names of all files in the store. */
    async files() {
      const names: string[] = [];
      for await (const { name: file } of media.list()) names.push(file);
      return names;
    },
  };
}

async function openServer(databaseName: string, dataDir: string, clock: Clock, options: TestAppOptions) {
  const settings = readSettings({
    ...{ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
    ...getS3TestEnvironment(databaseName),
    ...options.environment,
  });
  const connection = { ...inject('postgres'), ...options.through, database: databaseName };
  const database = openDatabase(connection, () => undefined, {
    size: settings.databasePool,
    ...options.databaseLimits,
  });
  const log = options.log ?? openLog(settings.logLevel);
  const dataFolder = await openDataFolder(settings, log);
  const media = await openMediaStore(settings, log, dataFolder.check);
  // Marks the bucket as belonging to this database, so that the server notices if the bucket is swapped.
  if (settings.s3) await claimStoreForDatabase(database.db, media, describeMediaLocation(settings));
  const space = createDiskSpaceMonitor({
    measure: options.measureDisk ?? (() => Promise.resolve({ free: 1e12, total: 1e13 })),
    minFree: settings.minFreeDisk,
    notices: createNoticesService(database.db),
    log,
    rememberedForMs: 0,
  });
  const staging = openStaging(join(dataDir, 'staging'), space, dataFolder.check);
  const parts = {
    settings,
    database,
    dataFolder,
    store: options.store?.(media) ?? media,
    disk: space,
    staging,
    partials: openPartialFiles(join(dataDir, 'uploads'), staging, dataFolder.check),
    decoders: { ffmpegPath: options.ffmpegPath ?? null, sandbox: await openSandbox({ hide: [dataDir] }) },
    inspect: options.inspect ?? inspectAudioWithCache,
    log,
    clock,
  };
  const made = createServices(parts);
  const services = options.services?.(made, parts) ?? made;
  await services.levels.initialise();
  const changes = openChangeFeed(connection, parts.log);
  const server = await createServer(parts, services, changes, {
    ...DEFAULT_SERVER_LIMITS,
    ...options.limits,
  });
  options.prepare?.(server, parts, services);
  const { app } = server;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  // Waits for the subscription, because the server misses changes that are announced before it.
  await waitFor(() => expect(changes.position()).not.toBeNull());
  return {
    ...parts,
    url,
    app,
    services,
    media,
    changes,
    async close() {
      await app.close();
      await services.afterwards.idle();
      await changes.close();
      await database.close();
      await dataFolder.release();
    },
  };
}
