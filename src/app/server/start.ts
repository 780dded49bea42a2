import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  assertBackupFolderWritable,
  startNightlyBackups,
} from '#features/operations/backups/server/service.ts';
import { describeDatabaseLocation, prepareDatabase } from '#server/db/prepare-database.ts';
import { openDatabase, type ConnectionSettings } from '#server/db/database.ts';
import { mountWebManifest } from './manifest.ts';
import { createPageContentLoader } from './page-content.ts';
import { getMediaStoreOrigin } from '#features/operations/files/server/delegate-file.ts';
import { findFfmpeg } from '#server/audio/ffmpeg.ts';
import { openChangeFeed } from '#server/db/changes.ts';
import { prepareDataFolder } from '#server/data-folder/data-folder-access.ts';
import { openDataFolder } from '#server/data-folder/data-folder.ts';
import { lockDataFolder } from '#server/data-folder/data-folder-lock.ts';
import { openSandbox } from '#server/decoding/sandbox.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { createShutdown } from '#server/process/shutdown.ts';
import { serveWebBuild, type WebBuild } from '#server/http/web-build.ts';
import { startListening } from '#server/http/listen.ts';
import { mountPage } from '#server/http/page.ts';
import {
  claimStoreForDatabase,
  assertStoreNeverHadDatabase,
  assertSameInstallation,
} from '#server/data-folder/installation.ts';
import type { Log } from '#server/log.ts';
import { createDiskMeter, createDiskSpaceMonitor, watchDiskSpace } from '#server/media/disk-space.ts';
import { describeMediaLocation, openMediaStore } from '#server/media/open-store.ts';
import { openPartialFiles } from '#server/media/partial-files.ts';
import { openStaging } from '#server/media/staging.ts';
import { watchBucket } from '#server/media/watch-bucket.ts';
import { createNoticesService } from '#server/notices.ts';
import { buildFolder, programVersion } from '#server/config/project.ts';
import { runWithoutRequestId } from '#server/http/request-id.ts';
import type { Settings } from '#server/config/settings.ts';
import { createServer, createServices, type ServerDependencies, type Services } from './server.ts';
import { startMaintenance } from './maintenance.ts';
import { deleteLeftScratchFolders } from './restore-test-folder.ts';

/** Grace period at shutdown for requests and uploads in progress. */
const DRAIN_TIMEOUT_MS = 15_000;

/**
 * Timeouts for the shutdown steps. Without the embedded database, the steps take less than the 20 seconds
 * after which the process exits in any case.
 */
const SHUTDOWN_TIMEOUTS_MS = {
  inFlight: DRAIN_TIMEOUT_MS + 500,
  backgroundTasks: 1_000,
  database: 1_500,
  handle: 250,
  postgres: 20_000,
};

export type RunningServer = {
  url: string;
  /** Sign-in details of the teacher created at this start; null if there already was a teacher. */
  firstAdmin: { username: string; password: string; generated: boolean } | null;
  services: Services;
  /** The services' dependencies, for a variant of the program that creates further services. */
  parts: ServerDependencies;
  /**
   * Finishes work in progress, then shuts everything down in reverse order.
   * @returns false if anything was aborted
   */
  close(): Promise<boolean>;
};

export type WebFrontend = { serve(app: FastifyInstance): Promise<WebBuild>; develop: boolean };

/** Serves the built pages. */
export const builtWebFrontend: WebFrontend = {
  serve: (app) => serveWebBuild(app, buildFolder),
  develop: false,
};

/**
 * Starts the whole program. If a step fails, everything that was started is shut down again.
 * @param options `isRehearsal` starts no background work and creates no teacher
 * @throws the error of that step, such as DataFolderInUseError, InstallationMismatchError or
 * NewerDatabaseError
 */
export async function startServer(
  settings: Settings,
  log: Log,
  web: WebFrontend = builtWebFrontend,
  { isRehearsal = false } = {},
): Promise<RunningServer> {
  const startedAt = new Date();
  const ends = createShutdown(log);
  try {
    if (settings.backupDir !== null) await assertBackupFolderWritable(settings.backupDir);
    await prepareDataFolder(settings.dataDir);
    const ffmpegPath = await findFfmpeg(settings.ffmpegPath);
    const mediaPlace = describeMediaLocation(settings);
    log.info(
      {
        version: programVersion,
        database: describeDatabaseLocation(settings),
        media: mediaPlace.name,
        backups: settings.backupDir,
      },
      'starting',
    );
    // Only reads from this store: nothing in it is created or locked until it is clear that store and
    // database belong together.
    const found = await openMediaStore(settings, log, () => Promise.resolve());

    let connection: ConnectionSettings;
    if (settings.databaseUrl) {
      connection = { connectionString: settings.databaseUrl };
    } else {
      const lock = lockDataFolder(settings.dataDir);
      ends.add({
        name: 'the lock of the data folder',
        end: () => lock.release(),
        timeoutMs: SHUTDOWN_TIMEOUTS_MS.handle,
      });
      if (!(await hasDatabase(settings.dataDir)))
        await assertStoreNeverHadDatabase(found, mediaPlace, settings.dataDir);
      const postgres = await startEmbeddedPostgres({
        dataDir: settings.dataDir,
        ...(settings.pgBinDir && { binDir: settings.pgBinDir }),
        log,
      });
      ends.add({
        name: 'the embedded database',
        end: () => postgres.stop(),
        timeoutMs: SHUTDOWN_TIMEOUTS_MS.postgres,
      });
      postgres.onExit((how) => {
        log.fatal({ how }, 'the database ended; exiting, to be started again');
        process.exit(1);
      });
      connection = postgres.connection;
    }
    const database = openDatabase(
      connection,
      (error) => runWithoutRequestId(() => log.warn({ error }, 'an idle database connection was lost')),
      { size: settings.databasePool, end: SHUTDOWN_TIMEOUTS_MS.database - 500 },
    );
    ends.add({
      name: 'connections to the database',
      end: () => database.close(),
      timeoutMs: SHUTDOWN_TIMEOUTS_MS.database,
    });
    await prepareDatabase(database, settings.databaseUrl, () =>
      assertSameInstallation(database.db, found, mediaPlace),
    );

    const dataFolder = await openDataFolder(settings, log);
    ends.add({
      name: 'the data folder',
      end: () => dataFolder.release(),
      timeoutMs: SHUTDOWN_TIMEOUTS_MS.handle,
    });
    const store = await openMediaStore(settings, log, dataFolder.check);
    await claimStoreForDatabase(database.db, store, mediaPlace);
    const disk = createDiskSpaceMonitor({
      measure: createDiskMeter(settings.dataDir),
      minFree: settings.minFreeDisk,
      notices: createNoticesService(database.db),
      log,
    });
    const watch = watchDiskSpace(disk, log);
    ends.add({ name: 'disk monitoring', end: () => watch.stop(), timeoutMs: SHUTDOWN_TIMEOUTS_MS.handle });
    const bucket = watchBucket(store, createNoticesService(database.db), log);
    ends.add({ name: 'bucket monitoring', end: () => bucket.stop(), timeoutMs: SHUTDOWN_TIMEOUTS_MS.handle });
    const staging = openStaging(join(settings.dataDir, 'staging'), disk, dataFolder.check);
    const partials = openPartialFiles(join(settings.dataDir, 'uploads'), staging, dataFolder.check);
    const clock = () => new Date();
    const changes = openChangeFeed(connection, log);
    ends.add({
      name: 'listening for changes',
      end: () => changes.close(),
      timeoutMs: SHUTDOWN_TIMEOUTS_MS.backgroundTasks,
    });
    const decoders = { ffmpegPath, sandbox: await createSandbox(settings, connection, log) };
    const parts = { settings, database, dataFolder, store, disk, staging, partials, decoders, log, clock };
    const services = createServices(parts);
    for (const { backfillSearchColumns } of [services.users, services.melodies, services.recordings])
      await backfillSearchColumns();
    const firstAdmin = isRehearsal ? null : await services.users.createFirstAdmin(settings.firstAdmin);

    const { app, identify, inProcess, origins } = await createServer(parts, services, changes);
    const { workers } = services;
    let maintenance: ReturnType<typeof startMaintenance> | null = null;
    let nightly: Awaited<ReturnType<typeof startNightlyBackups>> | null = null;
    // At shutdown, waits for background tasks that requests deferred until after the response.
    ends.add({
      name: 'background tasks',
      end: () => services.afterwards.idle(),
      timeoutMs: SHUTDOWN_TIMEOUTS_MS.backgroundTasks,
    });
    ends.add(
      { name: 'requests', end: () => drainRequests(app), timeoutMs: SHUTDOWN_TIMEOUTS_MS.inFlight },
      ...workers.map(({ name, stop }) => ({
        name: `worker: ${name}`,
        end: () => stop(),
        timeoutMs: SHUTDOWN_TIMEOUTS_MS.inFlight,
      })),
      {
        name: 'held feedback',
        end: () => services.heldWorker.stop(),
        timeoutMs: SHUTDOWN_TIMEOUTS_MS.inFlight,
      },
      { name: 'maintenance', end: () => maintenance?.stop(), timeoutMs: SHUTDOWN_TIMEOUTS_MS.inFlight },
      { name: 'the nightly backup', end: () => nightly?.stop(), timeoutMs: SHUTDOWN_TIMEOUTS_MS.inFlight },
    );
    const { template, modulesOf, render } = await web.serve(app);
    mountWebManifest(app, settings, origins);
    mountPage(app, template, identify, createPageContentLoader(settings, modulesOf, inProcess), {
      develop: web.develop,
      render,
      position: changes.position,
      soundFrom: await getMediaStoreOrigin(settings, store),
      log,
    });
    const { dataDir, backupDir } = settings;
    void deleteLeftScratchFolders(backupDir === null ? [dataDir] : [dataDir, backupDir], log);
    nightly = await startNightlyBackups(services.backups, log);
    const address = await startListening(app, settings.host, settings.port);
    const running = { url: address, firstAdmin, services, parts, close: ends.run };
    if (isRehearsal) return running;
    for (const worker of workers) {
      // Ends leases left by a killed process. No other process can hold a lease, because this process holds
      // the lock of the data folder.
      if (!settings.databaseUrl) await worker.takeUpLeft();
      worker.start();
    }
    services.heldWorker.start();

    // With the embedded database, every file that has no row and is older than this process is left over,
    // because no other process can write while this process holds the lock of the data folder.
    const sweepBefore = settings.databaseUrl ? null : startedAt;
    maintenance = startMaintenance({ services, clock, log, sweepBefore });
    return running;
  } catch (error) {
    await ends.run();
    throw error;
  }
}

const hasDatabase = async (dataDir: string) =>
  (await stat(join(dataDir, 'postgres')).catch(() => null)) !== null;

/**
 * Creates the decoders' sandbox, which hides stored files and the database's socket. Logs a warning if this
 * system can't isolate the decoders.
 */
async function createSandbox({ dataDir }: Settings, connection: ConnectionSettings, log: Log) {
  const sockets = 'host' in connection && isAbsolute(connection.host) ? [connection.host] : [];
  const sandbox = await openSandbox({ hide: [...sockets, dataDir] });
  if (sandbox.isolation === 'none')
    log.warn('no namespaces for the decoders of uploaded files; they run under the limits of Node alone');
  return sandbox;
}

async function drainRequests(app: FastifyInstance) {
  const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await app.close();
  clearTimeout(deadline);
}
