import { setTimeout as wait } from 'node:timers/promises';
import { randomOf } from '../src/demo/random.ts';
import { startEmbeddedPostgres } from '../src/platform/server/embedded-postgres/start.ts';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram, type Program } from '../src/testing/program.ts';
import { communityAt, TEACHER } from './community.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { keptValues } from './kept-data.ts';
import { newLedger } from './ledger.ts';
import { peopleAtWork } from './people.ts';

const STUDENTS = 4;

/**
 * Two processes on one database and one data folder. People send to both; in turn one is killed or told to stop, and
 * the other goes on without it.
 */
export async function proveTwoProcesses(options: {
  runs: number;
  seed: string;
  tell: (sentence: string) => void;
}): Promise<Findings> {
  const { runs, seed, tell } = options;
  const findings = noFindings();
  const ledger = newLedger();
  const server = await newDataFolder();
  const shared = await newDataFolder();
  const quiet = () => undefined;
  const postgres = await startEmbeddedPostgres({
    dataDir: server.dataDir,
    log: { info: quiet, warn: quiet, error: quiet },
  });
  const { host, user, database } = postgres.connection;
  const environment = {
    ADMIN_PASSWORD: TEACHER.password,
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    STUDENT_DAILY_RECORDINGS: '100000',
    STUDENT_DAILY_BYTES: '100GB',
  };
  const start = (port?: number) =>
    startProgram({ dataDir: shared.dataDir, environment, ...(port !== undefined && { port }) });
  const programs: Program[] = [];
  try {
    programs.push(...(await Promise.all([start(), start()])));
    const community = await communityAt(programs[0]!.url);
    const students = await Promise.all(
      Array.from({ length: STUDENTS }, async () => community.as(await community.newStudent())),
    );
    const teacher = await community.as(TEACHER);
    const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
    const [here, there] = programs.map(({ url }, part) =>
      peopleAtWork({
        students: students.map((student) => sameAt(url, student)),
        teacher: sameAt(url, teacher),
        levelId: levels[0]!.id,
        ledger,
        random: randomOf(`${seed} people ${part}`),
        share: { part, of: programs.length },
      }),
    );

    for (let run = 0; run < runs; run += 1) {
      const draw = randomOf(`${seed} two processes ${run}`);
      const before = ledger.confirmations();
      const stops = [here!.start(), there!.start()];
      await wait(draw.between(500, 3000));
      const struck = run % 2;
      const signal = draw.next() < 0.7 ? 'SIGKILL' : 'SIGTERM';
      await programs[struck]!.end(signal);
      await wait(draw.between(200, 1000));
      await Promise.all(stops.map((stop) => stop()));
      const { lost, duplicates } = ledger.compare(await keptValues(postgres.connection, shared.dataDir));
      findings.lost.push(...lost);
      findings.duplicates += duplicates;
      findings.runs += 1;
      countKill(findings, 'one of two processes', signal);
      const confirmed = ledger.confirmations() - before;
      tell(
        `one of two processes, ${signal} ${run + 1} of ${runs}: ${confirmed} things had been confirmed, ${lost.length} lost`,
      );
      programs[struck] = await start(Number(new URL(programs[struck]!.url).port));
    }
  } finally {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    await postgres.stop();
    await server.remove();
    await shared.remove();
  }
  return findings;
}

/** The same person at another process. */
function sameAt(url: string, client: Client): Client {
  const other = new Client(url);
  for (const [name, value] of client.cookies) other.cookies.set(name, value);
  return other;
}
