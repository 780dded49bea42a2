import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/postgres/start.ts';
import { openLog } from '#server/log.ts';
import { copyTemplateCluster } from './cluster.ts';
import { killProcess } from './kill-process.ts';
import { startNginx } from './nginx.ts';
import { createDataFolder, findProcessIdsByFolder, startProgram, type RunningProgram } from './program.ts';
import { createStallingProxy } from './stalling-proxy.ts';

/** Two processes of the program behind nginx, on a PostgreSQL server of their own. */
export type ReplicatedProgram = {
  /** URL of nginx. */
  url: string;
  /** Data folder that both processes use. */
  dataDir: string;
  programs: RunningProgram[];
  /** Starts a process again after it has ended. */
  restart(which: number): Promise<void>;
  database: {
    connection: ClientConfig;
    /** Kills all processes of the database. */
    kill(): Promise<void>;
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Stops all traffic to and from the database, as on a dead network. */
    stall(): void;
    resume(): void;
  };
  end(): Promise<void>;
};

const log = openLog('silent');

/** @param environment settings of both processes, including their store */
export async function startReplicatedProgram(environment: NodeJS.ProcessEnv): Promise<ReplicatedProgram> {
  const ends: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (const step of ends.splice(0).reverse()) await step();
  };
  try {
    const server = await createDataFolder();
    ends.push(server.remove);
    await copyTemplateCluster(server.dataDir);
    let postgres: EmbeddedPostgres | null = null;
    const start = async () => {
      postgres = await startEmbeddedPostgres({ dataDir: server.dataDir, log });
      return postgres;
    };
    const { connection } = await start();
    ends.push(async () => postgres?.stop());
    const line = await createStallingProxy(connection);
    ends.push(() => line.end());

    const shared = await createDataFolder();
    ends.push(shared.remove);
    const { user, database } = connection;
    const startOne = (port?: number) =>
      startProgram({
        dataDir: shared.dataDir,
        environment: {
          ...{ DATABASE_URL: `postgres://${user}@${line.host}:${line.port}/${database}`, TRUST_PROXY: '1' },
          ...environment,
        },
        ...(port !== undefined && { port }),
      });
    // Starts the processes one after the other, because the first creates the teacher.
    const programs = [await startOne()];
    ends.push(() => Promise.all(programs.map(endProgram)));
    programs.push(await startOne());
    const proxy = await startNginx(programs.map(({ url }) => url));
    ends.push(() => proxy.end());
    return {
      url: proxy.url,
      dataDir: shared.dataDir,
      programs,
      async restart(which) {
        programs[which] = await startOne(Number(new URL(programs[which]!.url).port));
      },
      database: {
        connection,
        async kill() {
          for (const pid of await findProcessIdsByFolder(server.dataDir)) killProcess(pid);
          // Waits until the killed processes are gone, because only then are their resources released.
          while ((await findProcessIdsByFolder(server.dataDir)).length > 0) await sleep(10);
        },
        stop: async () => postgres?.stop(),
        start: async () => void (await start()),
        stall: () => line.stall(),
        resume: () => line.resume(),
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function endProgram(program: RunningProgram) {
  const { exitCode, signalCode } = program.child;
  if (exitCode === null && signalCode === null) await program.end('SIGKILL');
}
