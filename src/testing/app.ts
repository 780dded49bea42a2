import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, inject } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import type { Limits as DatabaseLimits } from '#server/db/pool.ts';
import { announceChange, openChangeFeed } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import { openDataFolder } from '#server/data-folder/data-folder.ts';
import { openSandbox } from '#server/decoding/sandbox.ts';
import { claimInstallation } from '#server/data-folder/installation.ts';
import { openLog, type Log } from '#server/log.ts';
import { diskSpace, type DiskSize } from '#server/media/disk-space.ts';
import { mediaFolderIn } from '#server/media/layout.ts';
import { mediaPlaceOf, openMediaStore } from '#server/media/open-store.ts';
import { openPartialFiles } from '#server/media/partial-files.ts';
import { openStaging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { noticesIn } from '#server/notices.ts';
import { readSettings } from '#server/config/settings.ts';
import {
  createServer,
  createServices,
  LIMITS,
  type Limits,
  type Parts,
  type Services,
} from '#app/server/server.ts';
import { buildersFor } from './builders.ts';
import { Client } from './client.ts';
import { inspectOnce } from './inspect-once.ts';
import { run, TEMPLATE } from './postgres.ts';
import { placeOnDisk } from './media-place.ts';
import { startNginx } from './nginx.ts';
import { s3Environment, placeInS3 } from './s3.ts';
import { eventually } from './waiting.ts';

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

export type TestOptions = {
  environment?: NodeJS.ProcessEnv;
  ffmpegPath?: string | null;
  /** Another server on the same database and files, like a restart or a second process. */
  beside?: { databaseName: string; dataDir: string };
  /** One server without a proxy, also at scale: for what is promised of a connection, or counted by each server. */
  alone?: boolean;
  /** Receives log lines, in place of the terminal. */
  log?: Log;
  /** The disk's reported size and free space; by default plenty, whatever this machine has. */
  measureDisk?: () => Promise<DiskSize>;
  /** A proxy between the program and its database. */
  through?: { host: string; port: number };
  /** Overrides the database timeouts. */
  databaseLimits?: Partial<DatabaseLimits>;
  /** Wraps the store, e.g. in one that fails. */
  store?: (real: MediaStore) => MediaStore;
  /** Takes the place of the inspection of sound. */
  inspect?: Parts['inspect'];
  /** Replaces a service. */
  services?: (made: Services, parts: Parts) => Services;
  /** Overrides limits that a test would have to wait for. */
  limits?: Partial<Limits>;
  /** Registers more on the server before it listens. */
  prepare?: (server: Awaited<ReturnType<typeof createServer>>, parts: Parts, services: Services) => void;
};

/**
 * A complete server with a database of its own, closed after the test file. In the tests at scale, two of them behind
 * nginx: then `url` is that of nginx, and all else is of the first.
 */
/** How a session begins in tests that are not about signing in. */
export const BY_PASSWORD = { device: 'Firefox on Linux', address: '127.0.0.1', isProved: true };

export async function startTestApp(options: TestOptions = {}) {
  const { beside } = options;
  const postgres = inject('postgres');
  const name: string = beside?.databaseName ?? `test_${randomUUID().replaceAll('-', '')}`;
  if (!beside) await run(postgres, `create database ${name} template ${TEMPLATE}`);
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
        mediaFolderIn(dataDir),
      )
    : null;
  const { settings, database, services, staging, media } = first;
  const url = proxy?.url ?? first.url;

  afterAll(async () => {
    for (const server of servers) await server.close();
    await proxy?.end();
    if (beside) return;
    await run(postgres, `drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  });

  const clientOf = async (user: { id: string }, at = url) => {
    const client = new Client(at);
    client.cookies.set('session', await services.sessions.start(user.id, BY_PASSWORD, clock()));
    return client;
  };
  return {
    app: first.app,
    url,
    /** Of the first server itself. */
    direct: first.url,
    settings,
    services,
    database,
    db: database.db,
    databaseName: name,
    /** Resolves when nothing is left that requests have left to be done after their responses. */
    idle: () => Promise.all(servers.map((server) => server.services.afterwards.idle())),
    dataDir,
    dataFolder: first.dataFolder,
    store: media,
    /** As the operator sees and changes it. */
    media: settings.s3 ? await placeInS3(settings.s3) : placeOnDisk(mediaFolderIn(dataDir)),
    disk: first.disk,
    staging,
    partials: first.partials,
    changes: first.changes,
    /** Resolves once this server has heard of all that was announced before. */
    async untilHeard() {
      const before = first.changes.position();
      const nobody = randomUUID();
      await announceChange(database.db, { to: nobody, refreshes: [] });
      await eventually(() => {
        const heard = first.changes.since(before)?.map(({ to }) => to);
        expect(heard).toContainEqual([nobody]);
      });
    },
    clock: {
      now: clock,
      set: (to: Date) => (now = to),
      advance: (ms: number) => (now = new Date(clock().getTime() + ms)),
      reset: () => (now = null),
    },
    /** Not signed in. */
    visitor: () => new Client(url),
    /** A browser in which this user is signed in. */
    as: clientOf,
    make: buildersFor(services, database.db, staging),
    count: async (table: string) => {
      const { rows } = await database.db.execute<{ count: number }>(
        sql`select count(*)::int as count from ${sql.identifier(table)}`,
      );
      return rows[0]!.count;
    },
    /** The names of all files in the store. */
    async files() {
      const names: string[] = [];
      for await (const { name: file } of media.list()) names.push(file);
      return names;
    },
  };
}

async function openServer(databaseName: string, dataDir: string, clock: Clock, options: TestOptions) {
  const settings = readSettings({
    ...{ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
    ...s3Environment(databaseName),
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
  // Without it, nobody would notice that a bucket was exchanged.
  if (settings.s3) await claimInstallation(database.db, media, mediaPlaceOf(settings));
  const space = diskSpace({
    measure: options.measureDisk ?? (() => Promise.resolve({ free: 1e12, total: 1e13 })),
    minFree: settings.minFreeDisk,
    notices: noticesIn(database.db),
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
    inspect: options.inspect ?? inspectOnce,
    log,
    clock,
  };
  const made = createServices(parts);
  const services = options.services?.(made, parts) ?? made;
  await services.levels.initialise();
  const changes = openChangeFeed(connection, parts.log);
  const server = await createServer(parts, services, changes, { ...LIMITS, ...options.limits });
  options.prepare?.(server, parts, services);
  const { app } = server;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  // What is announced before it listens, it does not know.
  await eventually(() => expect(changes.position()).not.toBeNull());
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
