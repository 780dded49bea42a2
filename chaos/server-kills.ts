import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { killProcess } from '#testing/kill-process.ts';
import { createDataFolder, type RunningProgram } from '#testing/program.ts';
import type { ChaosOptions, Findings } from './harness/findings.ts';
import type { UploadMoment } from './harness/gate.ts';
import { findFilesWithoutRow } from './harness/stored-data.ts';
import type { SenderSafeguard } from './harness/simulated-people.ts';
import {
  findDatabaseProcesses,
  killProgramAndDatabase,
  injectServerFaults,
  type ServerFaultContext,
  type ServerFault,
} from './harness/under-load.ts';

const MOMENT_TIMEOUT_MS = 10_000;

/**
 * Maximum delay of the kill after a request, in ms. A commit takes longest, because it inspects audio and
 * syncs to disk.
 */
const MAX_WORK_MS = { begin: 12, chunk: 12, commit: 80 };

const MOMENTS = (['begin', 'chunk', 'commit'] as const).flatMap((call) =>
  (['requested', 'answered', 'received'] as const).map((phase) => ({ call, phase })),
);

/**
 * Faults: killing the server at each moment of an upload, and other ways to end the server, its database or
 * database sessions.
 */
export const SERVER_FAULTS: [name: string, fault: ServerFault][] = [
  ...MOMENTS.map((moment): [string, ServerFault] => [
    `server killed, ${moment.call} ${moment.phase}`,
    createKillFault(moment),
  ]),
  ['server killed between a file and its row', { program: 'ends', fault: killBetweenFileAndRow }],
  [
    'server and database killed',
    { program: 'ends', fault: ({ program }) => killProgramAndDatabase(program) },
  ],
  ['database killed', { program: 'ends', fault: killDatabase }],
  ['sessions of the database ended', { program: 'goes on', fault: endSessions }],
  ['told to end', { program: 'ends', fault: sendShutdownSignal }],
];

/** Injects the given faults, by default all SERVER_FAULTS, while people work. */
export async function runServerKills(
  options: ChaosOptions & { faults?: [name: string, fault: ServerFault][]; without?: SenderSafeguard },
): Promise<Findings> {
  const { dataDir, remove } = await createDataFolder();
  try {
    return await injectServerFaults({ faults: SERVER_FAULTS, ...options, dataDir });
  } finally {
    await remove();
  }
}

/**
 * Kills the server at a moment of an upload. If the moment is a request, waits a little, so that the server is
 * handling the request.
 */
export function createKillFault(moment: UploadMoment): ServerFault {
  return {
    program: 'ends',
    async fault({ program, gate, random }) {
      await gate.waitFor(moment, MOMENT_TIMEOUT_MS);
      if (moment.phase === 'requested') await wait(random.between(0, MAX_WORK_MS[moment.call]));
      await program.end('SIGKILL');
      // Closes the connections, so that a withheld response never arrives.
      gate.close();
      gate.open();
    },
  };
}

/** Kills the server between publishing a file and inserting its row, which a lock on the table delays. */
async function killBetweenFileAndRow({ program }: ServerFaultContext) {
  const client = await connectToDatabase(program);
  await client.query('begin');
  await client.query('lock table media_files in share mode');
  const isBetween = async () => {
    const { rowCount } = await client.query(
      "select from pg_locks where relation = 'media_files'::regclass and not granted",
    );
    return rowCount !== 0 && (await findFilesWithoutRow(program.dataDir, client)).length > 0;
  };
  for (const until = Date.now() + MOMENT_TIMEOUT_MS; !(await isBetween()); await wait(10))
    if (Date.now() > until) throw new Error('No file was published in time.');
  await program.end('SIGKILL');
  await client.end().catch(() => undefined);
}

async function killDatabase({ program, exited }: ServerFaultContext) {
  for (const pid of await findDatabaseProcesses(program)) killProcess(pid);
  await exited;
}

async function endSessions({ program, random, exited }: ServerFaultContext) {
  const client = await connectToDatabase(program);
  for (let times = 0; times < 30; times += 1) {
    // Every other time, ends only sessions that are in a transaction, because that is where the most can go wrong.
    const ending = client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()
       and ($1 or xact_start is not null)`,
      [times % 2 === 0],
    );
    const isOver = await Promise.race([ending.then(() => false), exited.then(() => true)]).catch(() => true);
    if (isOver) break;
    await wait(random.between(10, 150));
  }
  await client.end().catch(() => undefined);
}

async function connectToDatabase({ dataDir }: RunningProgram): Promise<pg.Client> {
  const client = new pg.Client((await findRunningConnectionSettings(dataDir))!);
  // Ignores the connection error that occurs if the program, and with it the database, exits.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function sendShutdownSignal({ program }: ServerFaultContext) {
  const { code } = await program.end('SIGTERM');
  if (code !== 0) throw new Error(`Told to end, the program ended with ${code}`);
}
