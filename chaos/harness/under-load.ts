import { setTimeout as wait } from 'node:timers/promises';
import { createRandomGenerator, type RandomGenerator } from '#testing/random.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import type { TestClient } from '#testing/client.ts';
import { TEACHER_CREDENTIALS } from '#testing/community.ts';
import { killProcess } from '#testing/kill-process.ts';
import { findProcessIdsByFolder, startProgram, type RunningProgram } from '#testing/program.ts';
import { recordFault, createFindings, type ChaosOptions, type Findings } from './findings.ts';
import { createUploadGate, type UploadGate } from './gate.ts';
import { findLeftoversAfterSweep, readStoredValues } from './stored-data.ts';
import { createLedger } from './ledger.ts';
import { createSimulatedPeople, type SenderSafeguard } from './simulated-people.ts';

/**
 * Settings that effectively lift the limits for students, and turn off audio copies made in the background.
 */
export const CHAOS_ENVIRONMENT = {
  ADMIN_PASSWORD: TEACHER_CREDENTIALS.password,
  FFMPEG_PATH: 'none',
  STUDENT_DAILY_RECORDINGS: '100000',
  STUDENT_DAILY_BYTES: '100GB',
};

export type FaultContext = {
  random: RandomGenerator;
  students: TestClient[];
  /** Stops the people after their current requests. */
  stopPeople: () => Promise<void>;
};

/**
 * Causes a disaster. Resolves when everything is running again.
 * @returns what went wrong, apart from lost data
 */
type Fault = (scene: FaultContext) => Promise<string[]>;

/** Thrown if the program can't be restarted. The stored data then can't be compared. */
class CannotRestartError extends Error {}

/**
 * Runs one fault after another while people concurrently send recordings and replies, save drafts and edit
 * melodies. After each fault, compares what is stored with what was confirmed.
 */
export async function injectFaultsUnderLoad(
  options: ChaosOptions & {
    url: string;
    students: number;
    faults: [name: string, fault: Fault][];
    readKept: () => Promise<Map<string, string[]>>;
    without?: SenderSafeguard | undefined;
  },
): Promise<Findings> {
  const { faults, readKept, runs, seed, untilHarmed = false, report = () => undefined } = options;
  const findings = createFindings();
  const ledger = createLedger();
  const people = await createSimulatedPeople({ ...options, ledger });
  let isBroken = false;
  for (let run = 0; run < runs && !isBroken; run += 1) {
    const [name, fault] = faults[run % faults.length]!;
    const random = createRandomGenerator(`${seed} fault ${run}`);
    const before = ledger.getConfirmationCount();
    const stopPeople = people.start();
    await wait(random.between(500, 2_000));
    const harm: string[] = [];
    try {
      harm.push(...(await fault({ random, students: people.students, stopPeople })));
      await stopPeople();
      harm.push(...ledger.compare(await readKept()));
    } catch (error) {
      if (!(error instanceof CannotRestartError)) throw error;
      harm.push(`the program does not start again: ${error.message.trim()}`);
      isBroken = true;
    } finally {
      await stopPeople();
    }
    recordFault(findings, name);
    findings.harm.push(...harm.map((sentence) => `${name}: ${sentence}`));
    const confirmed = ledger.getConfirmationCount() - before;
    report(`${run + 1} of ${runs}, ${name}: ${confirmed} things had been confirmed, ${harm.length} harmed`);
    if (untilHarmed && findings.harm.length > 0) break;
  }
  return findings;
}

export type ServerFaultContext = FaultContext & {
  program: RunningProgram;
  /** Proxy through which people reach the program. */
  gate: UploadGate;
  /** Resolves when the program exits. */
  exited: Promise<unknown>;
};

export type ServerFault = {
  fault: (scene: ServerFaultContext) => Promise<void>;
  /** Expected effect of the fault on the program. */
  program: 'ends' | 'goes on' | 'may end';
};

const STUDENTS = 4;

/** Runs faults against a single program, and restarts the program if it has ended. */
export async function injectServerFaults(
  options: ChaosOptions & {
    dataDir: string;
    faults: [name: string, fault: ServerFault][];
    environment?: NodeJS.ProcessEnv;
    without?: SenderSafeguard | undefined;
  },
): Promise<Findings> {
  const { dataDir } = options;
  const environment = { ...CHAOS_ENVIRONMENT, ...options.environment };
  let program = await startProgram({ dataDir, environment });
  const port = Number(new URL(program.url).port);
  const gate = await createUploadGate(program.url);

  const withRestart =
    ({ fault, program: expected }: ServerFault): Fault =>
    async (scene) => {
      await fault({ ...scene, program, gate, exited: waitForExit(program) });
      await scene.stopPeople();
      if (!hasExited(program)) return expected === 'ends' ? ['the program goes on'] : [];
      program = await startProgram({ dataDir, environment, port }).catch((error: Error) => {
        throw new CannotRestartError(error.message);
      });
      const leftovers = await findLeftoversAfterSweep(dataDir);
      return [
        ...(expected === 'goes on' ? ['the program ended'] : []),
        ...leftovers.map((name) => `${name} is left over`),
      ];
    };

  try {
    return await injectFaultsUnderLoad({
      ...options,
      url: gate.url,
      students: STUDENTS,
      faults: options.faults.map(([name, fault]) => [name, withRestart(fault)]),
      readKept: async () => readStoredValues((await findRunningConnectionSettings(dataDir))!, dataDir),
    });
  } finally {
    await gate.stop();
    await killProgramAndDatabase(program);
  }
}

/** Returns the ids of the database's processes, including those of its sessions. */
export const findDatabaseProcesses = async ({ dataDir, child }: RunningProgram) =>
  (await findProcessIdsByFolder(dataDir)).filter((pid) => pid !== child.pid);

/**
 * Kills the program and its database almost simultaneously, and waits until all their processes have ended.
 */
export async function killProgramAndDatabase(program: RunningProgram) {
  const database = await findDatabaseProcesses(program);
  const ended = hasExited(program) ? null : program.end('SIGKILL');
  for (const pid of database) killProcess(pid);
  await ended;
  for (const until = Date.now() + 10_000; Date.now() < until; await wait(20)) {
    const left = await findProcessIdsByFolder(program.dataDir);
    if (left.length === 0) return;
    for (const pid of left) killProcess(pid);
  }
  throw new Error(`Something still runs on ${program.dataDir}`);
}

const hasExited = ({ child }: RunningProgram) => child.exitCode !== null || child.signalCode !== null;

const waitForExit = (program: RunningProgram) =>
  new Promise<void>((resolve) => {
    if (hasExited(program)) resolve();
    else program.child.once('exit', () => resolve());
  });
