import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { get, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionToRunning } from '../src/platform/server/embedded-postgres/connection.ts';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { idOf, seed, sessionsOf, SIZES } from './community.ts';
import { clientOf, type Answered, type Ask } from './load.ts';
import { cpuMsOfEach, memoryOf } from './process-usage.ts';
import { formOf, sendInChunks, sung } from './takes.ts';

/**
 * Models a Sunday evening in the large community of `bench:scale`: what each thing that students do costs in CPU time,
 * what their evenings cost together, and what open pages cost. `docs/scaling.md` reckons with its figures.
 * Takes three minutes.
 */
const PAGES_OPEN = 2_000;
const EVENINGS_PER_SECOND = 2;
const WINDOW_SECONDS = 20;
const ROUNDS = 3;
const AT_ONCE = 8;
/** How long a student is there. */
const EVENING_SECONDS = 30 * 60;
/** Of a core: above it, answers wait for each other. */
const USABLE = 0.7;

const KIB = 1024;
const PART = 256 * KIB;
const SONG_SECONDS = 64;
const TAKE_SECONDS = 60;
const DRAFTS = 4;

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const JSON_BODY = { 'content-type': 'application/json' };

type Cost = { server: number; database: number; decoders: number };
type Step = { perEvening: number; runs: number; run(student: number): Promise<unknown> };

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
const { dataDir, remove } = await newDataFolder();
const program = await startProgram({
  dataDir,
  // All connections come from one address, which a proxy is then expected to limit.
  environment: { ADMIN_PASSWORD: 'teacher-pass', TRUST_PROXY: '1' },
});
const toDatabase = (await connectionToRunning(dataDir))!;
const NAME = 'bench';
const database = new pg.Pool({ ...toDatabase, application_name: NAME, max: 4 });
// Its connections are still closing when the database ends.
database.on('error', () => undefined);
const client = clientOf(program.url, 64);
const pages: ClientRequest[] = [];
let bytesSent = 0;
let bytesTaken = 0;
try {
  const teacher = (await filled()).admin[0]!;
  const students = await sessionsOf(database, 'student', PAGES_OPEN);
  const unread = await unreadOf(students.length);
  const take = sung(TAKE_SECONDS);
  const song = sung(SONG_SECONDS);
  const added = new Client(program.url);
  added.cookies.set('session', teacher);
  const melody = await addMelody({ audioFile: { bytes: song, name: 'song.wav' } });

  /** The takes that wait for the teacher. */
  const waiting: { student: number; clientId: string }[] = [];
  const steps: Record<string, Step> = {
    'opens the library': {
      perEvening: 1,
      runs: 60,
      async run(student) {
        await as(student, 200, { path: '/melodies' });
        const cards = { path: '/api/melodies?view=card' };
        const { headers } = await as(student, 200, cards);
        await as(student, 304, { ...cards, headers: { 'if-none-match': headers.etag! } });
        await as(student, 200, { path: '/api/feedback/unread-count' });
        await as(student, 200, { path: '/api/student/recordings' });
      },
    },
    'plays a song': {
      perEvening: 2,
      runs: 48,
      async run(student) {
        await as(student, 200, { path: `/api/melodies/${melody.id}` });
        await hear(melody.audioUrl, song.length, (ask) => as(student, 206, ask));
      },
    },
    'sends a take': {
      perEvening: 1,
      runs: 24,
      async run(student) {
        const clientId = await sendInChunks(take, (status, ask) => as(student, status, ask));
        bytesTaken += take.length;
        waiting.push({ student, clientId });
        await as(student, 200, { path: '/api/student/recordings' });
      },
    },
    'reads a reply': {
      perEvening: 1,
      runs: 60,
      async run() {
        const { student, id, recordingId } = unread.shift()!;
        await as(student, 200, { path: '/api/feedback' });
        await as(student, 200, { path: `/api/recordings/${recordingId}/thread` });
        const body = Buffer.from(JSON.stringify({ status: 'read' }));
        await as(student, 200, {
          path: `/api/feedback/${id}/status`,
          method: 'PATCH',
          headers: JSON_BODY,
          body,
        });
      },
    },
    'teacher answers it': { perEvening: 1, runs: 24, run: answerOne },
  };

  console.log(`${'CPU in ms'.padEnd(22)}  program      database     decoders   sent`);
  let someone = 0;
  const nextStudent = () => someone++ % students.length;
  const sums: Cost = { server: 0, database: 0, decoders: 0 };
  for (const [name, { runs, run, perEvening }] of Object.entries(steps)) {
    await Promise.all(Array.from({ length: AT_ONCE / 2 }, () => run(nextStudent())));
    const costs: Cost[] = [];
    const sentBefore = bytesSent;
    for (let round = 0; round < ROUNDS; round += 1)
      costs.push(await costOf(runs, () => atOnce(runs, () => run(nextStudent()))));
    tell(name, costs, `${((bytesSent - sentBefore) / runs / ROUNDS / KIB).toFixed(0)} KiB`);
    const middle = middleOf(costs);
    for (const part of ['server', 'database', 'decoders'] as const) sums[part] += middle[part] * perEvening;
  }
  tell('evening, by its parts', [sums]);

  const quiet = await rounds(() => costOf(10, () => sleep(10_000)));
  const before = await memoryOf(program.child.pid!);
  const heard = await openPages(students);
  const open = await rounds(() => costOf(10, () => sleep(10_000)));
  const idle = middleOf(open);
  tell('no page open, 1 s', quiet);
  tell(`${PAGES_OPEN} pages open, 1 s`, open);
  const kib = (((await memoryOf(program.child.pid!)) - before) * KIB) / PAGES_OPEN;
  console.log(`an open page: ${kib.toFixed(1)} KiB of memory`);

  const changes = await rounds(async () => {
    const already = heard();
    const begun = performance.now();
    const cost = await costOf(1, async () => {
      await addMelody({});
      while (heard() - already < PAGES_OPEN) {
        if (performance.now() - begun > 30_000) throw new Error('not every page has heard of a change');
        await sleep(100);
      }
    });
    return without(cost, idle, (performance.now() - begun) / 1_000);
  });
  tell(`a melody for all ${SIZES.large.users}`, changes);

  let connections = 0;
  const evenings = EVENINGS_PER_SECOND * WINDOW_SECONDS;
  const sentBefore = bytesSent;
  const takenBefore = bytesTaken;
  const mixed = await rounds(async () => {
    const begun = performance.now();
    const cost = await costOf(evenings, async () => {
      const under: Promise<void>[] = [];
      for (let number = 0; number < evenings; number += 1) {
        under.push(evening(nextStudent()));
        if (number % 4 === 0) connections = Math.max(connections, await connectionsNow());
        await sleep(Math.max(0, begun + ((number + 1) * 1_000) / EVENINGS_PER_SECOND - performance.now()));
      }
      await Promise.all(under);
    });
    return without(cost, idle, (performance.now() - begun) / 1_000 / evenings);
  });
  tell('evening, among others', mixed);
  const each = (bytes: number) => `${(bytes / evenings / ROUNDS / KIB / KIB).toFixed(1)} MiB`;
  console.log(`an evening: ${each(bytesSent - sentBefore)} sent, ${each(bytesTaken - takenBefore)} taken`);

  async function evening(student: number) {
    for (const { perEvening, run } of Object.values(steps))
      for (let time = 0; time < perEvening; time += 1) await run(student);
  }

  const perEvening = middleOf(mixed);
  const withPage = (part: keyof Cost) => perEvening[part] + (idle[part] / PAGES_OPEN) * EVENING_SECONDS;
  const carried = (part: keyof Cost) => (USABLE * EVENING_SECONDS * 1_000) / withPage(part);
  for (const part of ['server', 'database'] as const)
    console.log(
      `${part}: ${withPage(part).toFixed(0)} ms an evening with its page; a core at ${USABLE * 100} % ` +
        `carries ${carried(part).toFixed(0)} students who are there at once`,
    );
  console.log(`full first: ${carried('server') < carried('database') ? 'the program' : 'the database'}`);
  console.log(`rate: ${EVENINGS_PER_SECOND * EVENING_SECONDS} students at once would make as much work`);
  console.log(
    `connections of the program: ${connections}; its memory, the most: ${(await memoryOf(program.child.pid!, 'VmHWM')).toFixed(0)} MiB`,
  );
  for (const { table, rows, bytes } of await tables())
    console.log(
      `${table.padEnd(26)} ${String(rows).padStart(7)} rows, ${(bytes / rows).toFixed(0)} bytes each with its indexes`,
    );

  async function addMelody(more: Parameters<Client['form']>[1]) {
    const { status, body } = await added.form('/api/melodies', {
      title: 'Calling the Lama from Afar',
      transmissionLevelId: 1,
      ...more,
    });
    if (status !== 201) throw new Error(`a melody was answered ${status}`);
    return body as { id: number; audioUrl: string };
  }

  /** The teacher sees that a take came, hears all of it, and writes as a browser saves it. */
  async function answerOne() {
    const next = waiting.shift();
    if (!next) throw new Error('no take waits for an answer');
    const { rows } = await database.query<{ id: number; audio_url: string }>(
      'select id, audio_url from recordings where student_id = $1 and client_id = $2',
      [idOf('student', next.student), next.clientId],
    );
    const { id, audio_url: name } = rows[0]!;
    await asked(teacher, 200, { path: '/api/recordings/pending' });
    await asked(teacher, 200, { path: '/api/admin/pending-recordings/count' });
    await hear(name, take.length, (ask) => asked(teacher, 206, ask));
    const text = 'Lovely. Slower in the second line, and breathe before the last.';
    for (let draft = 1; draft <= DRAFTS; draft += 1) {
      const body = Buffer.from(
        JSON.stringify({ text: text.slice(0, (text.length * draft) / DRAFTS), marks: [] }),
      );
      const path = `/api/admin/recordings/${id}/draft`;
      await asked(teacher, 200, { path, method: 'PUT', headers: JSON_BODY, body });
    }
    const form = formOf({ recordingId: String(id), writtenFeedback: text, clientId: randomUUID() });
    await asked(teacher, 201, { path: '/api/feedback', method: 'POST', ...form });
    await as(next.student, 200, { path: '/api/feedback/unread-count' });
  }

  function as(student: number, status: number, ask: Ask) {
    return asked(students[student]!, status, ask);
  }
} finally {
  for (const page of pages) page.destroy();
  client.close();
  await database.end();
  await program.end();
  await remove();
}

async function asked(session: string, status: number, { headers, ...ask }: Ask): Promise<Answered> {
  const answered = await client.ask({
    ...ask,
    headers: { ...BROWSER, cookie: `session=${session}`, ...headers },
  });
  if (answered.status !== status)
    throw new Error(`${ask.method ?? 'GET'} ${ask.path} was answered ${answered.status}`);
  bytesSent += answered.bytes;
  return answered;
}

/** All of a file, in parts. */
async function hear(name: string, size: number, ask: (ask: Ask) => Promise<unknown>) {
  for (let start = 0; start < size; start += PART)
    await ask({
      path: `/api/files/${name}?type=audio`,
      headers: { range: `bytes=${start}-${Math.min(size, start + PART) - 1}` },
    });
}

/** @returns how many times one of them was told that the library has changed */
async function openPages(sessions: string[]) {
  let heard = 0;
  const opened = (session: string) =>
    new Promise<void>((resolve, reject) => {
      const page = get(
        `${program.url}/api/events`,
        { agent: false, headers: { cookie: `session=${session}` } },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`a page was answered ${answer.statusCode}`));
          answer.setEncoding('utf8').on('data', (text: string) => {
            if (text.includes('"/api/melodies"')) heard += 1;
          });
          answer.on('error', () => undefined);
          answer.once('data', () => resolve());
        },
      );
      page.on('error', reject);
      pages.push(page);
    });
  for (let from = 0; from < sessions.length; from += 100)
    await Promise.all(sessions.slice(from, from + 100).map(opened));
  return () => heard;
}

/** The community, by a connection of its own: what filling it needs goes with it. */
async function filled() {
  const filling = new pg.Client(toDatabase);
  await filling.connect();
  const sessions = await seed(filling, SIZES.large);
  await filling.query('vacuum analyze');
  await filling.end();
  return sessions;
}

/** Replies that so many students have not read, each student's after the others'. */
async function unreadOf(count: number) {
  const { rows } = await database.query<{ student: number; id: number; recordingId: number }>(
    `select right(student_id, 12)::int as student, feedback.id, recording_id as "recordingId"
     from feedback join recordings on recordings.id = recording_id
     where feedback.status = 'unread' and student_id < $1
     order by row_number() over (partition by student_id order by feedback.id), student_id`,
    [idOf('student', count)],
  );
  return rows;
}

async function connectionsNow() {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and application_name <> $1`,
    [NAME],
  );
  return rows[0]!.count;
}

async function tables() {
  await database.query('analyze');
  const { rows } = await database.query<{ table: string; rows: number; bytes: number }>(
    `select relname as table, reltuples::int as rows, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 1000 order by relname`,
  );
  return rows;
}

/** What each of so many costs that are done meanwhile. */
async function costOf(count: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = await cpuMsOfEach(program);
  await work();
  const after = await cpuMsOfEach(program);
  const of = (part: keyof Cost) => (after[part] - before[part]) / count;
  return { server: of('server'), database: of('database'), decoders: of('decoders') };
}

function without(cost: Cost, idle: Cost, seconds: number): Cost {
  const of = (part: keyof Cost) => cost[part] - idle[part] * seconds;
  return { server: of('server'), database: of('database'), decoders: of('decoders') };
}

async function rounds(work: () => Promise<Cost>) {
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await work());
  return costs;
}

async function atOnce(count: number, task: () => Promise<unknown>) {
  let begun = 0;
  const one = async () => {
    while (begun++ < count) await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

function sorted(costs: Cost[], part: keyof Cost) {
  return costs.map((cost) => cost[part]).sort((a, b) => a - b);
}

function middleOf(costs: Cost[]): Cost {
  const of = (part: keyof Cost) => sorted(costs, part)[Math.floor(costs.length / 2)]!;
  return { server: of('server'), database: of('database'), decoders: of('decoders') };
}

/** The middle of the rounds, and behind it the least and the most. */
function tell(what: string, costs: Cost[], more = '') {
  const columns = (['server', 'database', 'decoders'] as const).map((part) => {
    const all = sorted(costs, part).map((ms) => ms.toPrecision(3));
    const middle = all[Math.floor(all.length / 2)]!;
    return (all.length > 1 ? `${middle} (${all[0]}–${all.at(-1)})` : middle).padEnd(20);
  });
  console.log(`${what.padEnd(26)}  ${columns.join(' ')} ${more}`);
}
