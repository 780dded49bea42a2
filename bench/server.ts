import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { wavFile } from '../src/testing/tone.ts';
import { load, quantile, type Ask } from './load.ts';
import { cpuMsOf, cpuMsOfAll, memoryOf } from './process-usage.ts';
import { measureS3, measureTwoProcesses } from './shapes.ts';
import { formOf, sendInChunks, sung } from './takes.ts';

/**
 * Measures what the server's work costs beside the least that Node could do for the same bytes (`reference.ts`), in the
 * CPU time of all processes: the program, its database and its decoders. Rounds alternate, and the cheapest of each
 * counts, so that whatever else the machine does affects both alike. Memory, and how long a song waits while many sign
 * in, have bounds of their own.
 */
const ROUNDS = 6;
const STUDENTS = 64;
const PASSWORD = 'teacher-pass';
const MIB = 1024 * 1024;
const PART = 64 * 1024;

/** The text of one melody; with it, twelve take some 9 KB. */
const VERSES = Array.from(
  { length: 4 },
  (_, verse) => `Lama khyenno, verse ${verse + 1} of the song\nབླ་མ་མཁྱེན་ནོ། དྲིན་ཅན་རྩ་བའི་བླ་མ་མཁྱེན་ནོ།`,
).join('\n');

const bounds = {
  /** Of the reference's rate. */
  list: { 12: { whole: 0.12, unchanged: 0.35 }, 60: { whole: 0.06, unchanged: 0.35 } },
  /** Times the reference's CPU time. */
  range: 2.5,
  recording: { 'in one request': 3, 'in chunks': 4 },
  /** MiB of the program's process. */
  memory: { idle: 150, uploads: 180, signIns: 300 },
  /** Seconds of CPU of the program until it listens; on an empty folder with its database. */
  start: { existing: 0.9, empty: 2 },
  /** Times the quiet p99 of a part of a song, while 50 people sign in. */
  whileSigningIn: 3,
};

/** What a browser accepts. */
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

let isWithin = true;
const only = process.argv[2] ?? '';

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
const files = await mkdtemp(join(tmpdir(), 'yangchen-reference-'));
const reference = await startReference(files);
const { dataDir, remove } = await newDataFolder();
const environment = {
  ADMIN_PASSWORD: PASSWORD,
  TRUST_PROXY: '1',
  STUDENT_DAILY_BYTES: String(100_000 * MIB),
  STUDENT_DAILY_RECORDINGS: '100000',
};
let program = await startProgram({ dataDir, environment });
try {
  const { cookies, passwords, melodies } = await makeCommunity();
  const asStudent = (index: number, ask: Ask): Ask => ({
    ...ask,
    headers: { cookie: cookies[index % STUDENTS]!, ...ask.headers },
  });
  if (wanted('list')) for (const count of [12, 60] as const) await measureList(count, asStudent);
  if (wanted('range')) await measureRange(asStudent);
  if (wanted('recording')) await measureRecordings(asStudent);
  if (wanted('sign-in')) await measureWhileSigningIn(asStudent, passwords);
  if (wanted('memory')) await measureMemory(cookies, passwords);

  /** Adds melodies until there are so many, each with the text of a song. */
  async function addMelodies(count: number) {
    for (let number = melodies.length; number < count; number += 1) await melodies.add(number);
  }

  async function measureList(count: 12 | 60, as: typeof asStudent) {
    await addMelodies(count);
    const ask = { path: '/api/melodies', headers: BROWSER };
    const plain = await fetch(`${program.url}/api/melodies`, { headers: { cookie: cookies[0]! } });
    const body = Buffer.from(await plain.arrayBuffer());
    await writeFile(join(files, `list-${count}`), body);
    const etag = plain.headers.get('etag')!;
    const compared = await compare(
      {
        reference: { ask: () => ({ path: `/json/list-${count}` }), count: 12_000, status: 200 },
        whole: { ask: (index) => as(index, ask), count: 6_000, status: 200 },
        unchanged: {
          ask: (index) => as(index, { ...ask, headers: { ...ask.headers, 'if-none-match': etag } }),
          count: 12_000,
          status: 304,
        },
      },
      64,
    );
    for (const which of ['whole', 'unchanged'] as const) {
      tell(
        `library list, ${count} melodies (${(body.length / 1024).toFixed(0)} KiB), ${which}`,
        compared.reference / compared[which],
        { least: bounds.list[count][which] },
        `of the reference’s rate; ${micro(compared[which])} against ${micro(compared.reference)}`,
      );
    }
  }

  async function measureRange(as: typeof asStudent) {
    const song = wavFile(30, 32_000, (second) => 12_000 * Math.sin(second * 1_400));
    await writeFile(join(files, 'song.wav'), song);
    const name = await melodies.addSong(song);
    const parts = Math.floor(song.length / PART);
    const headers = (index: number) => {
      const start = (index % parts) * PART;
      return { ...BROWSER, range: `bytes=${start}-${start + PART - 1}` };
    };
    const { ours, reference: least } = await compare(
      {
        reference: {
          ask: (index) => ({ path: '/range/song.wav', headers: headers(index) }),
          count: 4_000,
          status: 206,
        },
        ours: {
          ask: (index) => as(index, { path: `/api/files/${name}?type=audio`, headers: headers(index) }),
          count: 1_500,
          status: 206,
        },
      },
      64,
    );
    tell(
      'a part of 64 KiB of a song',
      ours / least,
      { most: bounds.range },
      `times the reference’s CPU time; ${micro(ours)} against ${micro(least)}`,
    );
  }

  async function measureRecordings(as: typeof asStudent) {
    const take = sung(82);
    let uploads = 0;
    const form = () => {
      uploads += 1;
      return formOf({ title: `Take ${uploads}`, clientId: randomUUID() }, take);
    };
    const cost = { reference: Infinity, 'in one request': Infinity, 'in chunks': Infinity };
    const each = 8;
    const ways = {
      reference: async () => {
        const before = await cpuMsOf(reference.child.pid!);
        await load(reference.url, { atOnce: 4, count: each * 4, status: 201 }, () => ({
          path: '/upload',
          method: 'POST',
          ...form(),
        }));
        return ((await cpuMsOf(reference.child.pid!)) - before) / (each * 4);
      },
      'in one request': async () => {
        const before = await cpuMsOfAll(program);
        await load(program.url, { atOnce: 4, count: each, status: 201 }, (index) => {
          const { headers, body } = form();
          return as(index, { path: '/api/recordings', method: 'POST', headers, body });
        });
        return ((await cpuMsOfAll(program)) - before) / each;
      },
      'in chunks': async () => {
        const before = await cpuMsOfAll(program);
        await atOnce(4, each, (index) =>
          sendInChunks(take, (status, ask) =>
            load(program.url, { atOnce: 1, count: 1, status }, () => as(index, ask)),
          ),
        );
        return ((await cpuMsOfAll(program)) - before) / each;
      },
    };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const way of Object.keys(ways) as (keyof typeof ways)[])
        cost[way] = Math.min(cost[way], await ways[way]());
    for (const way of ['in one request', 'in chunks'] as const)
      tell(
        `a durable recording of ${(take.length / MIB).toFixed(1)} MiB, ${way}`,
        cost[way] / cost.reference,
        { most: bounds.recording[way] },
        `times the reference’s CPU time; ${cost[way].toFixed(0)} ms against ${cost.reference.toFixed(0)} ms`,
      );
  }

  async function measureWhileSigningIn(as: typeof asStudent, all: { username: string; password: string }[]) {
    const name = await melodies.addSong(wavFile(30, 32_000, (second) => 12_000 * Math.sin(second * 1_400)));
    const listen = (count: number) =>
      load(program.url, { atOnce: 4, count, status: 206 }, (index) =>
        as(index, { path: `/api/files/${name}?type=audio`, headers: { range: `bytes=0-${PART - 1}` } }),
      );
    await listen(400);
    const quiet = quantile(await listen(1_000), 0.99);
    const signingIn = signIn(all.slice(0, 50), (index) => `10.1.0.${index}`);
    const busy: Awaited<ReturnType<typeof listen>> = [];
    let isOver = false;
    void signingIn.finally(() => (isOver = true));
    while (!isOver) busy.push(...(await listen(50)));
    await signingIn;
    tell(
      'p99 of such a part while 50 sign in',
      quantile(busy, 0.99) / quiet,
      { most: bounds.whileSigningIn },
      `times its quiet p99; ${quantile(busy, 0.99).toFixed(0)} ms against ${quiet.toFixed(0)} ms`,
    );
  }

  async function measureMemory(sessions: string[], all: { username: string; password: string }[]) {
    await program.end();
    program = await startProgram({ dataDir, environment });
    // As it is after a while without requests.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const pid = program.child.pid!;
    tell('memory, idle', await memoryOf(pid), { most: bounds.memory.idle }, 'MiB');
    await load(program.url, { atOnce: 8, count: 24, status: 201 }, (index) => {
      const { headers, body } = formOf({ title: 'Sung', clientId: randomUUID() }, sung(82));
      return {
        path: '/api/recordings',
        method: 'POST',
        headers: { ...headers, cookie: sessions[index]! },
        body,
      };
    });
    tell(
      'memory, the most with 8 uploads at once',
      await memoryOf(pid, 'VmHWM'),
      { most: bounds.memory.uploads },
      'MiB',
    );
    await program.end();
    program = await startProgram({ dataDir, environment });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await signIn(all.slice(0, 24), (index) => `10.2.0.${index}`);
    tell(
      'memory, the most with 24 sign-ins at once',
      await memoryOf(program.child.pid!, 'VmHWM'),
      { most: bounds.memory.signIns },
      'MiB',
    );
  }
} finally {
  await program.end();
  await remove();
}
if (wanted('start')) await measureStart();
if (wanted('s3')) await measureS3(tell);
if (wanted('processes')) await measureTwoProcesses(tell);
reference.child.kill();
await rm(files, { recursive: true, force: true });
process.exitCode = isWithin ? 0 : 1;

type Way = { ask: (index: number) => Ask; count: number; status: number };

/** CPU time in µs of one request of each way, the least of all rounds; that named 'reference' goes to the reference. */
async function compare<K extends string>(ways: Record<K, Way>, connections: number) {
  const least = {} as Record<K, number>;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, { ask, count, status }] of Object.entries(ways) as [K, Way][]) {
      const isReference = name === 'reference';
      const used = () => (isReference ? cpuMsOf(reference.child.pid!) : cpuMsOfAll(program));
      const before = await used();
      await load(isReference ? reference.url : program.url, { atOnce: connections, count, status }, ask);
      least[name] = Math.min(least[name] ?? Infinity, (((await used()) - before) * 1_000) / count);
    }
  }
  return least;
}

async function measureStart() {
  const least = { empty: Infinity, existing: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { dataDir: folder, remove: removeFolder } = await newDataFolder();
    const first = await startProgram({ dataDir: folder, environment });
    least.empty = Math.min(least.empty, (await cpuMsOfAll(first)) / 1000);
    await first.end();
    const again = await startProgram({ dataDir: folder, environment });
    least.existing = Math.min(least.existing, (await cpuMsOf(again.child.pid!)) / 1000);
    await again.end();
    await removeFolder();
  }
  const { existing, empty } = bounds.start;
  tell('start on an existing folder', least.existing, { most: existing }, 's of CPU of the program');
  tell('start on an empty folder', least.empty, { most: empty }, 's of CPU, with its database');
}

function tell(what: string, value: number, bound: { most?: number; least?: number }, unit: string) {
  const holds = bound.most === undefined ? value >= bound.least! : value <= bound.most;
  if (!holds) isWithin = false;
  const limit = bound.most === undefined ? `at least ${bound.least}` : `at most ${bound.most}`;
  const figure = value >= 20 ? value.toFixed(0) : value.toPrecision(2);
  console.log(`${holds ? 'holds ' : 'FAILS '} ${what.padEnd(52)} ${figure.padStart(6)} (${limit}) ${unit}`);
}

function wanted(what: string) {
  return what.startsWith(only);
}

function micro(us: number) {
  return `${us.toFixed(0)} µs`;
}

async function atOnce(most: number, count: number, task: (index: number) => Promise<unknown>) {
  let begun = 0;
  const one = async () => {
    while (begun < count) await task(begun++);
  };
  await Promise.all(Array.from({ length: most }, one));
}

async function signIn(all: { username: string; password: string }[], addressOf: (index: number) => string) {
  return Promise.all(
    all.map(async (who, index) => {
      const one = new Client(program.url);
      const { status } = await one.post('/api/login', who, {
        headers: { 'x-forwarded-for': addressOf(index) },
      });
      if (status !== 200) throw new Error(`a sign-in was answered ${status}`);
      return [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    }),
  );
}

async function makeCommunity() {
  const teacher = new Client(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const transmissionLevelId = level!.id;
  const passwords = [];
  for (let number = 0; number < STUDENTS; number += 1) {
    const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
      email: `student.${number}@example.org`,
      firstName: 'Tashi',
      lastName: `Student ${number}`,
      transmissionLevels: [transmissionLevelId],
    });
    passwords.push({ username: body.user.username as string, password: body.password as string });
  }
  const cookies = await signIn(passwords, (index) => `10.0.0.${index}`);
  const titles: string[] = [];
  return {
    passwords,
    cookies,
    melodies: {
      get length() {
        return titles.length;
      },
      async add(number: number) {
        const title = `Calling the Lama from Afar ${number}`;
        titles.push(title);
        const { status } = await teacher.form('/api/melodies', {
          title,
          transmissionLevelId,
          description: 'Sung slowly, at the beginning of the morning session.',
          melodyText: VERSES,
        });
        if (status !== 201) throw new Error(`a melody was answered ${status}`);
      },
      async addSong(song: Buffer) {
        const { body } = await teacher.form('/api/melodies', {
          title: 'With its song',
          transmissionLevelId,
          audioFile: { bytes: song, name: 'song.wav' },
        });
        titles.push('With its song');
        return body.audioUrl as string;
      },
    },
  };
}

async function startReference(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reference.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, child };
}
