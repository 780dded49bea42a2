import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { randomOf, type Random } from '../src/demo/random.ts';
import { findBinaries } from '../src/platform/server/embedded-postgres/binaries.ts';
import { connectionToRunning } from '../src/platform/server/embedded-postgres/connection.ts';
import { newDataFolder, processesNaming, startProgram, type Program } from '../src/testing/program.ts';
import { communityAt, TEACHER } from './community.ts';
import { newDiskImage, type DiskImage } from './disk-image.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { keptAfterSweep, keptValues } from './kept-data.ts';
import { killProcess } from '../src/testing/kill-process.ts';
import { newLedger } from './ledger.ts';
import { peopleAtWork } from './people.ts';

export const DISASTERS = [
  'power cut',
  'server killed',
  'server and database killed',
  'database killed',
  'sessions of the database ended',
  'told to end',
  'disk full',
] as const;
export type Disaster = (typeof DISASTERS)[number];

/** These need a disk of their own. */
export const ON_A_DISK: ReadonlySet<Disaster> = new Set(['power cut', 'disk full']);

/** A durability mechanism of the program, disabled from outside. */
export const DISK_SAFETIES = ['file-sync', 'folder-sync', 'database-sync', 'write-errors'] as const;
export type DiskSafety = (typeof DISK_SAFETIES)[number];

export const isOfDisk = (safety: string): safety is DiskSafety =>
  DISK_SAFETIES.some((each) => each === safety);

type Options = {
  disasters: readonly Disaster[];
  runs: number;
  seed: string;
  without?: DiskSafety;
  untilFound?: boolean;
  tell?: (sentence: string) => void;
};

const STUDENTS = 4;
const IMAGE_MEBIBYTES = 600;

/**
 * While several people concurrently send, answer, correct, draft and store melodies, lets a disaster strike, restarts
 * the program if it has ended, and compares what is there with what it has confirmed.
 */
export async function proveDisasters(options: Options): Promise<Findings> {
  const { disasters, runs, seed, without, untilFound = false, tell = () => undefined } = options;
  const findings = noFindings();
  const ledger = newLedger();
  const needsDisk = disasters.some((each) => ON_A_DISK.has(each));
  const place = await newPlace(needsDisk);
  const environment = {
    // What is copied is no promise, and in the staging folder meanwhile.
    FFMPEG_PATH: 'none',
    ADMIN_PASSWORD: TEACHER.password,
    // These are about the very end of the disk, and in a proof one student sings more than in a year.
    MIN_FREE_DISK: '0',
    STUDENT_DAILY_RECORDINGS: '100000',
    STUDENT_DAILY_BYTES: '100GB',
    ...(await environmentWithout(without, place)),
  };
  const start = (port?: number) =>
    startProgram({ dataDir: place.dataDir, environment, ...(port !== undefined && { port }) });
  let program: Program | null = null;
  try {
    program = await start();
    const port = Number(new URL(program.url).port);
    const community = await communityAt(program.url);
    const students = await Promise.all(
      Array.from({ length: STUDENTS }, async () => community.as(await community.newStudent())),
    );
    const teacher = await community.as(TEACHER);
    const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
    const random = randomOf(`${seed} people`);
    const people = peopleAtWork({ students, teacher, levelId: levels[0]!.id, ledger, random });

    for (let run = 0; run < runs; run += 1) {
      const disaster = disasters[run % disasters.length]!;
      const draw = randomOf(`${seed} disaster ${run}`);
      const before = ledger.confirmations();
      const stop = people.start();
      await wait(draw.between(500, 3000));
      const strike = STRIKES[disaster];
      const ended = endOf(program);
      await strike({ program, disk: place.disk, random: draw, ended, stop });
      await stop();
      const hasEnded = program.child.exitCode !== null || program.child.signalCode !== null;
      findings.runs += 1;
      if (hasEnded) {
        program = await start(port).catch((error: Error) => {
          findings.lost.push(`${disaster}: the program does not start again: ${error.message.trim()}`);
          return null;
        });
        if (!program) break;
      } else if (disaster !== 'sessions of the database ended' && disaster !== 'disk full')
        throw new Error(`The program goes on after: ${disaster}`);
      if (hasEnded && disaster === 'sessions of the database ended')
        findings.lost.push('The program ended when sessions of its database did');

      const connection = await connectionToRunning(place.dataDir);
      if (!connection) throw new Error('The database does not run.');
      // The sweep of a start removes what was left between file and row; without a start nothing does.
      if (hasEnded) {
        const { orphanFiles, rowsWithoutFile, orphanChunks } = await keptAfterSweep(place.dataDir);
        const orphans = orphanFiles.length + rowsWithoutFile.length + orphanChunks;
        findings.orphans = Math.max(findings.orphans, orphans);
      }
      const { lost, duplicates } = ledger.compare(await keptValues(connection, place.dataDir));
      findings.lost.push(...lost.map((sentence) => `${disaster}: ${sentence}`));
      findings.duplicates += duplicates;
      const confirmed = ledger.confirmations() - before;
      countKill(findings, disaster, hasEnded ? 'started again' : 'went on');
      tell(`${disaster} ${run + 1} of ${runs}: ${confirmed} things had been confirmed, ${lost.length} lost`);
      if (untilFound && findings.lost.length + findings.duplicates > 0) break;
    }
  } finally {
    if (program) await endAll(program, place.dataDir);
    await place.remove();
  }
  return findings;
}

type Scene = {
  program: Program;
  disk: DiskImage | null;
  random: Random;
  ended: Promise<unknown>;
  /** Lets people finish what they are doing. */
  stop: () => Promise<void>;
};

const STRIKES: Record<Disaster, (scene: Scene) => Promise<void>> = {
  async 'power cut'({ program, disk, stop }) {
    await endAll(program, program.dataDir);
    await stop();
    await disk!.cutPower();
  },

  async 'server killed'({ program }) {
    await program.end('SIGKILL');
  },

  async 'server and database killed'({ program }) {
    await endAll(program, program.dataDir);
  },

  async 'database killed'({ program, ended }) {
    for (const pid of await databaseOf(program)) killProcess(pid);
    await ended;
  },

  async 'sessions of the database ended'({ program, random, ended }) {
    const connection = await connectionToRunning(program.dataDir);
    const client = new pg.Client(connection!);
    // If the program exits, its database does, and this session with it.
    client.on('error', () => undefined);
    await client.connect();
    for (let times = 0; times < 30; times += 1) {
      // Every other time those in the middle of a transaction, where most can go wrong.
      const ending = client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()
         and ($1 or xact_start is not null)`,
        [times % 2 === 0],
      );
      const isOver = await Promise.race([ending.then(() => false), ended.then(() => true)]).catch(() => true);
      if (isOver) break;
      await wait(random.between(10, 150));
    }
    await client.end().catch(() => undefined);
  },

  async 'told to end'({ program }) {
    const { code } = await program.end('SIGTERM');
    if (code !== 0) throw new Error(`Told to end, the program ended with ${code}`);
  },

  async 'disk full'({ disk, ended }) {
    const free = await disk!.fill();
    // The database may exit when it cannot write; the program goes with it.
    await Promise.race([wait(4000), ended]);
    await free();
    await Promise.race([wait(1000), ended]);
  },
};

/** The database's own processes, including its sessions. */
const databaseOf = async ({ dataDir, child }: Program) =>
  (await processesNaming(dataDir)).filter((pid) => pid !== child.pid);

/** To disable the database's own safety, it is run by a script that overrides its settings. */
async function environmentWithout(safety: DiskSafety | undefined, { extra }: Place) {
  if (!safety) return {};
  if (safety !== 'database-sync')
    return { NODE_OPTIONS: `--import=${import.meta.dirname}/without/${safety}.ts` };
  const { initdb, postgres, env } = await findBinaries(undefined);
  const libraries = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  const script = (program: string, more: string) =>
    `#!/bin/sh\n${libraries.join('')}exec '${program}' "$@" ${more}\n`;
  await mkdir(extra, { recursive: true, mode: 0o755 });
  await writeFile(join(extra, 'initdb'), script(initdb, ''), { mode: 0o755 });
  const withoutSync = 'case "$1" in -D) set -- "$@" -c fsync=off ;; esac\n';
  const server = script(postgres, '').replace('exec', `${withoutSync}exec`);
  await writeFile(join(extra, 'postgres'), server, { mode: 0o755 });
  return { PG_BIN_DIR: extra };
}

/** Kills program and database at the same moment, as far as possible. */
async function endAll(program: Program, dataDir: string) {
  const database = await databaseOf(program);
  const isOver = program.child.exitCode !== null || program.child.signalCode !== null;
  const ended = isOver ? null : program.end('SIGKILL');
  for (const pid of database) killProcess(pid);
  await ended;
  for (const until = Date.now() + 10_000; Date.now() < until; await wait(20)) {
    const left = await processesNaming(dataDir);
    if (left.length === 0) return;
    for (const pid of left) killProcess(pid);
  }
  throw new Error(`Something still runs on ${dataDir}`);
}

const endOf = ({ child }: Program) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** @property extra a folder beside the data, which no disaster strikes */
type Place = { dataDir: string; extra: string; disk: DiskImage | null; remove(): Promise<void> };

async function newPlace(withDisk: boolean): Promise<Place> {
  const folder = await newDataFolder();
  const extra = `${folder.dataDir}/extra`;
  // Traversable by whoever runs the database.
  await chmod(folder.dataDir, 0o755);
  if (!withDisk) return { dataDir: `${folder.dataDir}/data`, extra, disk: null, remove: folder.remove };
  const disk = await newDiskImage(IMAGE_MEBIBYTES);
  return {
    dataDir: `${disk.folder}/data`,
    extra,
    disk,
    async remove() {
      await disk.remove();
      await folder.remove();
    },
  };
}
