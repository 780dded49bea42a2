import { randomUUID } from 'node:crypto';
import { randomOf, type Random } from '../src/demo/random.ts';
import { newDataFolder, processesNaming, startProgram, type Program } from '../src/testing/program.ts';
import { tone } from '../src/testing/tone.ts';
import { communityAt, TEACHER } from './community.ts';
import type { Moment } from './cut-call.ts';
import { dealt } from './deck.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { killProcess } from '../src/testing/kill-process.ts';
import { keptAfterSweep, mediaFileAppears, mediaFilesOf, sha256Of, type KeptData } from './kept-data.ts';
import { senderOf, type Promised, type ServerSafety, type Step, type Take } from './sender.ts';

type Options = {
  runs: number;
  seed: string;
  /** One safety to disable, to show that the proof would detect the loss. */
  without?: ServerSafety;
  /** Stops at the first finding. */
  untilFound?: boolean;
  tell?: (sentence: string) => void;
};

/**
 * Kills the server with SIGKILL while it receives recordings, restarts it on the same data folder, and checks that
 * everything it ever promised is there: each chunk it acknowledged, each recording it confirmed; nothing twice, and
 * nothing left over.
 */
export async function proveServer(options: Options): Promise<Findings> {
  const { runs, seed, without, untilFound = false, tell = () => undefined } = options;
  const findings = noFindings();
  const { dataDir, remove } = await newDataFolder();
  const environment = { ADMIN_PASSWORD: TEACHER.password, LOG_LEVEL: 'info', FFMPEG_PATH: 'none' };
  let program = await startProgram({ dataDir, environment });
  const promised: Promised = { recordings: new Map(), chunks: new Map() };
  try {
    const cookie = await studentsCookie(program.url);
    for (let run = 0; run < runs; run += 1) {
      const random = randomOf(`${seed} server ${run}`);
      const plan = planOf(random, dealt(CARDS, seed, run));
      const take = takeOf(run, random);
      let kill: (() => void) | null = await killerOf(program, plan.withDatabase);
      const fileAppears = (signal: AbortSignal) => mediaFileAppears(dataDir, signal);
      const sender = senderOf({ take, cookie, promised, plan, fileAppears, without });
      let state = 'not killed';
      for (;;) {
        const isThere = await sender.trySend(program.url, kill);
        if (kill && sender.isKilled()) {
          await program.end('SIGKILL');
          const files = await mediaFilesOf(dataDir);
          program = await startProgram({ dataDir, environment });
          const kept = await check(dataDir, promised, findings);
          state = sender.wasHeard() ? 'after the answer' : stateOf(plan, take, kept, files);
          countKill(findings, NAMES[plan.step], state);
          if (program.said().includes('swept files that a crash left over')) findings.swept += 1;
          kill = null;
        }
        if (isThere) break;
      }
      await check(dataDir, promised, findings, take);
      findings.runs += 1;
      tell(`server kill ${run + 1} of ${runs}: ${NAMES[plan.step]}, ${state}`);
      if (untilFound && findings.lost.length + findings.duplicates + findings.orphans > 0) break;
    }
  } finally {
    await program.end();
    // Those of a program that was killed last.
    for (const pid of await processesNaming(dataDir)) killProcess(pid);
    await remove();
  }
  return findings;
}

type Plan = { step: Step; moment: Moment; chunk: number; withDatabase: boolean };

const NAMES: Record<Step, string> = {
  begin: 'beginning',
  chunk: 'a chunk',
  commit: 'the commit',
  form: 'all in one call',
};

const MOMENTS: [Step, Moment['at'][]][] = [
  ['begin', ['work', 'answer', 'after']],
  ['chunk', ['body', 'work', 'work', 'answer', 'after']],
  ['commit', ['body', 'work', 'work', 'file', 'file', 'answer', 'after']],
  ['form', ['body', 'work', 'file', 'answer', 'after']],
];
const CARDS = MOMENTS.flatMap(([step, moments]) => moments.map((at) => ({ step, at })));

/** A commit takes tens of milliseconds: it inspects the sound, and waits for two disks. */
const LONGEST_MS: Record<Step, number> = { begin: 12, chunk: 12, commit: 80, form: 80 };

function planOf(random: Random, { step, at }: { step: Step; at: Moment['at'] }): Plan {
  return {
    step,
    moment: { at, afterMs: Math.round(random.between(0, LONGEST_MS[step])) },
    chunk: Math.floor(random.between(0, 3)),
    withDatabase: random.next() < 0.3,
  };
}

/** How far the interrupted request had come. @param files the media that were stored before the next start */
function stateOf({ step, chunk }: Plan, take: Take, kept: KeptData, files: string[]): string {
  const upload = kept.uploads.find(({ clientId }) => clientId === take.clientId);
  if (step === 'begin') return upload ? 'after the row, before the answer' : 'before the row';
  if (step === 'chunk') {
    const isThere = (upload?.bytes.length ?? 0) > chunk * take.chunkSize;
    return isThere ? 'after the row, before the answer' : 'before the row';
  }
  if (kept.recordings.some(({ title }) => title === take.title)) return 'after the rows, before the answer';
  const isFile = files.some((name) => !kept.mediaRows.includes(name));
  return isFile ? 'after the file, before the rows' : 'before the file';
}

function takeOf(run: number, random: Random): Take {
  const bytes = tone(random.between(1, 4), 200 + run, 32_000);
  return { clientId: randomUUID(), title: `Run ${run}`, bytes, chunkSize: Math.ceil(bytes.length / 4) };
}

/** Kills the program, and with it perhaps its database, in one go. */
async function killerOf(program: Program, withDatabase: boolean): Promise<() => void> {
  const database = withDatabase ? await processesNaming(program.dataDir) : [];
  return () => {
    program.child.kill('SIGKILL');
    for (const pid of database) killProcess(pid);
  };
}

/** @param arrived the take that has been sent completely */
async function check(
  dataDir: string,
  promised: Promised,
  findings: Findings,
  arrived?: Take,
): Promise<KeptData> {
  const kept = await keptAfterSweep(dataDir);
  for (const [title, sha256] of promised.recordings)
    if (!kept.recordings.some((each) => each.title === title && each.sha256 === sha256))
      findings.lost.push(`${title} was confirmed, and is gone`);
  for (const [clientId, { take, received }] of promised.chunks) {
    if (kept.recordings.some(({ title }) => title === take.title)) continue;
    const upload = kept.uploads.find((each) => each.clientId === clientId);
    if (!upload?.bytes.subarray(0, received).equals(take.bytes.subarray(0, received)))
      findings.lost.push(`${received} bytes of ${take.title} were confirmed, and are gone`);
  }
  const titles = kept.recordings.map(({ title }) => title);
  findings.duplicates = Math.max(findings.duplicates, titles.length - new Set(titles).size);
  const orphans = kept.orphanFiles.length + kept.rowsWithoutFile.length + kept.orphanChunks;
  findings.orphans = Math.max(findings.orphans, orphans);
  if (!arrived) return kept;
  const found = kept.recordings.filter(({ title }) => title === arrived.title);
  if (found.length === 0) findings.lost.push(`${arrived.title} did not arrive`);
  if (found.some(({ sha256 }) => sha256 !== sha256Of(arrived.bytes)))
    findings.lost.push(`${arrived.title} is not what was sent`);
  // Its upload was deleted with the commit.
  findings.orphans = Math.max(findings.orphans, orphans + kept.uploads.length);
  return kept;
}

async function studentsCookie(url: string): Promise<string> {
  const community = await communityAt(url);
  const student = await community.as(await community.newStudent());
  return `session=${student.cookies.get('session')}`;
}
