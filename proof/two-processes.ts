import { setTimeout as wait } from 'node:timers/promises';
import { randomOf } from '../src/demo/random.ts';
import { openLog } from '../src/platform/server/log.ts';
import { openS3Store } from '../src/platform/server/media/s3.ts';
import { readSettings } from '../src/platform/server/settings.ts';
import { s3EnvironmentOf, startS3 } from '../src/testing/ceph.ts';
import type { Client } from '../src/testing/client.ts';
import { startScaledProgram, type ScaledProgram } from '../src/testing/scaled-program.ts';
import { communityAt, TEACHER } from './community.ts';
import { dealt } from './deck.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { keptValues, soundsOnDisk, type Sounds } from './kept-data.ts';
import { newLedger } from './ledger.ts';
import { peopleAtWork } from './people.ts';

const STUDENTS = 8;

/** What is killed, as often as it is in here. */
const STRUCK = [
  'one process',
  'one process',
  'one process, told to stop',
  'both processes',
  'the database',
  'one process and the database',
] as const;

type Options = {
  runs: number;
  seed: string;
  /** Where recordings are. */
  media: 'on disk' | 'in S3';
  tell: (sentence: string) => void;
};

/**
 * Two processes behind nginx, on one database and one store. While people send and answer, one of them, both, or their
 * database is killed; what was confirmed must be there, once. Where only one process ends, no read may fail either.
 */
export async function proveTwoProcesses({ runs, seed, media, tell }: Options): Promise<Findings> {
  const findings = noFindings();
  const ledger = newLedger();
  const store = media === 'in S3' ? await startStore() : null;
  const environment = {
    FFMPEG_PATH: 'none',
    ...store?.environment,
    ADMIN_PASSWORD: TEACHER.password,
    STUDENT_DAILY_RECORDINGS: '100000',
    STUDENT_DAILY_BYTES: '100GB',
  };
  let program: ScaledProgram | null = null;
  try {
    program = await startScaledProgram(environment);
    const { url, database, dataDir } = program;
    const sounds = store?.sounds ?? (() => soundsOnDisk(dataDir));
    const community = await communityAt(url);
    const students = await Promise.all(
      Array.from({ length: STUDENTS }, async () => community.as(await community.newStudent())),
    );
    const teacher = await community.as(TEACHER);
    const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
    const random = randomOf(`${seed} people`);
    const people = peopleAtWork({ students, teacher, levelId: levels[0]!.id, ledger, random });

    for (let run = 0; run < runs; run += 1) {
      const draw = randomOf(`${seed} two processes ${run}`);
      const struck = dealt(STRUCK, `${seed} ${media}`, run);
      const before = ledger.confirmations();
      const stop = people.start();
      await wait(draw.between(500, 2_000));
      const reads =
        struck.startsWith('one process') && !struck.includes('database') ? reading(students[0]!) : null;
      await strike(program, struck, run % 2);
      await wait(draw.between(100, 500));
      const { failed, gapMs } = (await reads?.stop()) ?? { failed: [], gapMs: 0 };
      await stop();
      const { lost, duplicates } = ledger.compare(await keptValues(database.connection, dataDir, sounds));
      findings.lost.push(...lost, ...failed.map((how) => `a read failed as ${struck} ended: ${how}`));
      findings.duplicates += duplicates;
      findings.runs += 1;
      countKill(findings, `two processes, media ${media}`, struck);
      const confirmed = ledger.confirmations() - before;
      const gap = reads ? `, the longest gap ${gapMs.toFixed(0)} ms` : '';
      tell(
        `${struck} ${run + 1} of ${runs}: ${confirmed} things had been confirmed, ${lost.length} lost${gap}`,
      );
    }
  } finally {
    await program?.end();
    await store?.end();
  }
  return findings;
}

/** Resolves once all that was killed is there again. */
async function strike(program: ScaledProgram, struck: (typeof STRUCK)[number], which: number) {
  const { programs, database } = program;
  const signal = struck === 'one process, told to stop' ? 'SIGTERM' : 'SIGKILL';
  const ended = struck === 'both processes' ? [0, 1] : struck.startsWith('one process') ? [which] : [];
  const withDatabase = struck.includes('database');
  await Promise.all([
    ...ended.map((each) => programs[each]!.end(signal)),
    withDatabase ? database.kill() : null,
  ]);
  if (withDatabase) await database.start();
  await Promise.all(ended.map((each) => program.restart(each)));
}

/** Reads the library again and again. */
function reading(client: Client) {
  const failed: string[] = [];
  let gapMs = 0;
  let isOver = false;
  const all = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const asked = performance.now();
      const reply = await client.get('/api/melodies').catch((error: unknown) => String(error));
      gapMs = Math.max(gapMs, performance.now() - asked);
      if (typeof reply === 'string') failed.push(reply);
      else if (reply.status !== 200) failed.push(String(reply.status));
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
      return { failed, gapMs };
    },
  };
}

/** A real S3 store, and what is in it. */
async function startStore() {
  const { s3, end } = await startS3();
  const environment = s3EnvironmentOf(s3);
  const store = openS3Store(readSettings(environment).s3!, openLog('silent'));
  // A file never changes, so each is read once; but it may be deleted.
  const known: Sounds = new Map();
  return {
    environment,
    async sounds(): Promise<Sounds> {
      const found: Sounds = new Map();
      for await (const { name } of store.list()) {
        const sha256 = known.get(name) ?? (await store.digest(name))?.sha256;
        if (sha256) found.set(name, sha256);
      }
      for (const [name, sha256] of found) known.set(name, sha256);
      return found;
    },
    end,
  };
}
