import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { migrateDatabase, openDatabase, type Connection } from './db/database.ts';
import { pageContentFor } from './page-content.ts';
import { findFfmpeg } from './platform/server/audio/ffmpeg.ts';
import { openChangeFeed } from './platform/server/changes.ts';
import { lockDataFolder } from './platform/server/data-folder-lock.ts';
import { startEmbeddedPostgres } from './platform/server/embedded-postgres/start.ts';
import { endings } from './platform/server/endings.ts';
import { serveBuiltWeb, type BuiltWeb } from './platform/server/http/built-web.ts';
import { mountPage } from './platform/server/http/page.ts';
import type { Log } from './platform/server/log.ts';
import { outboxDelivery } from './platform/server/mail/outbox.ts';
import { smtpDelivery } from './platform/server/mail/smtp.ts';
import { mailWorker } from './platform/server/mail/worker.ts';
import { openDiskStore } from './platform/server/media/disk.ts';
import { openStaging } from './platform/server/media/staging.ts';
import type { Settings } from './platform/server/settings.ts';
import { createServer, createServices, outboxOf, type Parts, type Services } from './server.ts';
import { startUpkeep } from './upkeep.ts';

/** What is still running when the program is asked to end has this long to finish. */
const DRAIN_MS = 15_000;

/** How long each ending may take, in ms: together less than the 20 seconds after which the program ends anyhow. */
const END_MS = { underWay: DRAIN_MS + 500, behindAnswers: 1_000, database: 1_500, postgres: 20_000 };

export type Running = {
  /** Where it listens. */
  address: string;
  /** How to sign in as the teacher that was made at this start; null when there was one. */
  firstAdmin: { username: string; password: string; generated: boolean } | null;
  services: Services;
  /** What the services are made of, for a variant that makes more with it. */
  parts: Parts;
  /** Finishes what is in flight, then ends everything that was started. @returns whether nothing was left behind */
  close(): Promise<boolean>;
};

export type WebServing = { serve(app: FastifyInstance): Promise<BuiltWeb>; develop: boolean };

/** Serves the built pages. */
export const builtPages: WebServing = {
  serve: (app) => serveBuiltWeb(app, join(import.meta.dirname, '..', 'dist', 'web')),
  develop: false,
};

/**
 * Starts the whole program. What was started before something failed is ended again.
 * @throws DataFolderInUse, and whatever keeps the database or the port from being had
 */
export async function start(settings: Settings, log: Log, web: WebServing = builtPages): Promise<Running> {
  const startedAt = new Date();
  const ends = endings(log);
  try {
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
    const ffmpegPath = await findFfmpeg(settings.ffmpegPath);

    let connection: Connection;
    if (settings.databaseUrl) {
      connection = { connectionString: settings.databaseUrl };
    } else {
      const lock = lockDataFolder(settings.dataDir);
      ends.add({ what: 'the lock of the data folder', end: () => lock.release(), ms: 1_000 });
      const postgres = await startEmbeddedPostgres({
        dataDir: settings.dataDir,
        ...(settings.pgBinDir && { binDir: settings.pgBinDir }),
        log,
      });
      ends.add({ what: 'the embedded database', end: () => postgres.stop(), ms: END_MS.postgres });
      postgres.onExit((how) => {
        log.fatal({ how }, 'the database ended; so does the program, to be started again');
        process.exit(1);
      });
      connection = postgres.connection;
    }
    const database = openDatabase(
      connection,
      (error) => log.warn({ error }, 'an idle database connection was lost'),
      { size: settings.databasePool, end: END_MS.database - 500 },
    );
    ends.add({ what: 'connections to the database', end: () => database.close(), ms: END_MS.database });
    await migrateDatabase(database);

    const store = openDiskStore(join(settings.dataDir, 'media'));
    const staging = openStaging(join(settings.dataDir, 'staging'));
    const clock = () => new Date();
    const changes = openChangeFeed(connection, log);
    ends.add({ what: 'hearing of changes', end: () => changes.close(), ms: END_MS.behindAnswers });
    const parts = { settings, database, store, staging, ffmpegPath, log, clock };
    const services = createServices(parts);
    for (const { foldUnfolded } of [services.users, services.melodies, services.recordings])
      await foldUnfolded();
    const firstAdmin = await services.users.createFirstAdmin(settings.firstAdmin);

    const { app, identify, lists } = await createServer(parts, services, changes);
    const mail = mailWorker({ db: database.db, delivery: deliveryBy(settings), clock, log });
    let upkeep: ReturnType<typeof startUpkeep> | null = null;
    // After the last answer: what a request left to be done behind it.
    ends.add({
      what: 'what follows an answer',
      end: () => services.passwords.idle(),
      ms: END_MS.behindAnswers,
    });
    ends.add(
      { what: 'requests', end: () => drain(app), ms: END_MS.underWay },
      { what: 'mail', end: () => mail.stop(), ms: END_MS.underWay },
      { what: 'upkeep', end: () => upkeep?.stop(), ms: END_MS.underWay },
    );
    const { template, modulesOf, render } = await web.serve(app);
    mountPage(app, template, identify, pageContentFor(settings, services, modulesOf, lists), {
      develop: web.develop,
      render,
      log,
    });
    const address = await app.listen({ host: settings.host, port: settings.port });
    mail.start(connection);

    // The lock says that no other process writes here, so that whatever is older than this one is left over.
    const sweepBefore = settings.databaseUrl ? null : startedAt;
    upkeep = startUpkeep({ services, clock, log, sweepBefore });
    return { address, firstAdmin, services, parts, close: ends.run };
  } catch (error) {
    await ends.run();
    throw error;
  }
}

const deliveryBy = (settings: Settings) =>
  settings.mailServer
    ? smtpDelivery(settings.mailServer, settings.mailFrom)
    : outboxDelivery(outboxOf(settings), settings.mailFrom);

async function drain(app: FastifyInstance) {
  const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(deadline);
}
