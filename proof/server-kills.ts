import { randomUUID } from 'node:crypto';
import { randomOf, type Random } from '../src/demo/random.ts';
import { newDataFolder, processesNaming, startProgram, type Program } from '../src/testing/program.ts';
import { tone } from '../src/testing/tone.ts';
import { communityAt, TEACHER } from './community.ts';
import type { Moment } from './cut-call.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { killProcess } from './kill-process.ts';
import { keptAfterSweep, sha256Of } from './kept-data.ts';
import { senderOf, type Promised, type ServerSafety, type Step, type Take } from './sender.ts';

type Options = {
  runs: number;
  seed: string;
  /** One safety that this proof goes without, to show that it would see the loss. */
  without?: ServerSafety;
  /** Ends with the first thing that is found. */
  untilFound?: boolean;
  tell?: (sentence: string) => void;
};

/**
 * Kills the server with SIGKILL while it receives recordings, starts it again on the same data folder, and looks
 * whether all that it has ever promised is there: each piece it acknowledged, each recording it answered for; nothing
 * twice, and nothing left over.
 */
export async function proveServer(options: Options): Promise<Findings> {
  const { runs, seed, without, untilFound = false, tell = () => undefined } = options;
  const findings = noFindings();
  const { dataDir, remove } = await newDataFolder();
  const environment = { ADMIN_PASSWORD: TEACHER.password, LOG_LEVEL: 'info' };
  let program = await startProgram({ dataDir, environment });
  const promised: Promised = { recordings: new Map(), pieces: new Map() };
  try {
    const cookie = await studentsCookie(program.url);
    for (let run = 0; run < runs; run += 1) {
      const random = randomOf(`${seed} server ${run}`);
      const plan = planOf(random);
      const take = takeOf(run, random);
      let kill: (() => void) | null = await killerOf(program, plan.withDatabase);
      const sender = senderOf({ take, cookie, promised, plan, without });
      for (;;) {
        const isThere = await sender.trySend(program.url, kill);
        if (kill && sender.isKilled()) {
          countKill(findings, `${plan.step}: ${plan.moment.at}`);
          await program.end('SIGKILL');
          program = await startProgram({ dataDir, environment });
          await check(dataDir, promised, findings);
          if (program.said().includes('removed files that a crash left over')) findings.swept += 1;
          kill = null;
        }
        if (isThere) break;
      }
      await check(dataDir, promised, findings, take);
      findings.runs += 1;
      tell(`server kill ${run + 1} of ${runs}: ${plan.step}, ${plan.moment.at}`);
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

type Plan = { step: Step; moment: Moment; piece: number; withDatabase: boolean };

function planOf(random: Random): Plan {
  const step = random.pick<Step>([
    'begin',
    'piece',
    'piece',
    'piece',
    'commit',
    'commit',
    'commit',
    'form',
    'form',
  ]);
  const at = random.pick<Moment['at']>(['body', 'work', 'work', 'work', 'answer', 'answer', 'after']);
  // A commit takes tens of milliseconds: it measures the sound, and waits for two disks.
  const longest = step === 'commit' || step === 'form' ? 80 : 12;
  const afterMs = Math.round(random.between(0, longest));
  return {
    step,
    moment: { at, afterMs },
    piece: Math.floor(random.between(0, 3)),
    withDatabase: random.next() < 0.3,
  };
}

function takeOf(run: number, random: Random): Take {
  const bytes = tone(random.between(1, 4), 200 + run, 32_000);
  return { clientId: randomUUID(), title: `Run ${run}`, bytes, pieceSize: Math.ceil(bytes.length / 4) };
}

/** What kills the program, and with it perhaps its database, in one go. */
async function killerOf(program: Program, withDatabase: boolean): Promise<() => void> {
  const database = withDatabase ? await processesNaming(program.dataDir) : [];
  return () => {
    program.child.kill('SIGKILL');
    for (const pid of database) killProcess(pid);
  };
}

/** @param arrived the take that has been sent to its end */
async function check(dataDir: string, promised: Promised, findings: Findings, arrived?: Take) {
  const kept = await keptAfterSweep(dataDir);
  for (const [title, sha256] of promised.recordings)
    if (!kept.recordings.some((each) => each.title === title && each.sha256 === sha256))
      findings.lost.push(`${title} was confirmed, and is gone`);
  for (const [clientId, { take, received }] of promised.pieces) {
    if (kept.recordings.some(({ title }) => title === take.title)) continue;
    const upload = kept.uploads.find((each) => each.clientId === clientId);
    if (!upload?.bytes.subarray(0, received).equals(take.bytes.subarray(0, received)))
      findings.lost.push(`${received} bytes of ${take.title} were confirmed, and are gone`);
  }
  const titles = kept.recordings.map(({ title }) => title);
  findings.duplicates = Math.max(findings.duplicates, titles.length - new Set(titles).size);
  const orphans = kept.orphanFiles.length + kept.rowsWithoutFile.length + kept.orphanPieces;
  findings.orphans = Math.max(findings.orphans, orphans);
  if (!arrived) return;
  const found = kept.recordings.filter(({ title }) => title === arrived.title);
  if (found.length === 0) findings.lost.push(`${arrived.title} did not arrive`);
  if (found.some(({ sha256 }) => sha256 !== sha256Of(arrived.bytes)))
    findings.lost.push(`${arrived.title} is not what was sent`);
  // Its upload went with the commit that it was for.
  findings.orphans = Math.max(findings.orphans, orphans + kept.uploads.length);
}

async function studentsCookie(url: string): Promise<string> {
  const community = await communityAt(url);
  const student = await community.as(await community.newStudent());
  return `session=${student.cookies.get('session')}`;
}
