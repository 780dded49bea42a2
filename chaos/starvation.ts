import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '#testing/client.ts';
import { newDataFolder, startProgram } from '#testing/program.ts';
import { tone } from '#testing/tone.ts';
import { communityAt, firstLevel, TEACHER } from './harness/community.ts';

// While one student, or a stranger, does everything an attacker can, another student and the teacher go on: their
// responses arrive within a second, and within five times what they take on the idle server of the same run.

const MAX_P99_MS = 1_000;
const MAX_RATIO = 5;
const MELODIES = 400;
const REQUEST_TIMEOUT_MS = 10_000;
const PAUSE_MS = 15;

/** Means of an attack: one student's session, and a large file that this student may hear. */
export type AttackInput = {
  url: string;
  cookie: string;
  username: string;
  password: string;
  file: string;
};

/** An action of a student or teacher. @returns the response's status */
type Action = (signal: AbortSignal) => Promise<number>;
type Melody = { id: number; audioUrl: string };

/** @returns what went wrong */
export async function starve(forMs: number): Promise<string[]> {
  const { dataDir, remove } = await newDataFolder();
  const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: TEACHER.password } });
  try {
    const community = await communityAt(program.url);
    const teacher = await community.as(TEACHER);
    const melody = await createLibrary(teacher);
    const student = await community.as(await community.newStudent());
    const attacker = await community.newStudent();
    const cookie = (await community.as(attacker)).cookies.get('session')!;
    const input: AttackInput = { url: program.url, cookie, ...attacker, file: melody.audioUrl };
    const actions = {
      answers: actionsOf(student, melody),
      'signing in': [signInAgain(program.url, teacher.cookies.get('device')!)],
    };
    const measure = async () => ({
      answers: await measureWaits(actions.answers, forMs),
      'signing in': await measureWaits(actions['signing in'], forMs / 3),
    });

    await measureWaits([...actions.answers, ...actions['signing in']], 2_000);
    const quiet = await measure();
    console.log(`Quiet: p99 ${told(quiet.answers.p99)} ms; signing in: ${told(quiet['signing in'].p99)} ms`);
    const rows = [];
    for (const attack of Object.keys(ATTACKS) as Attack[]) {
      const { counts, end } = await startAttack(attack, input);
      const under = await measure();
      const memory = await memoryOf(program.child.pid!);
      const received = await counts();
      await end();
      // Requests in flight end before the next attack begins.
      await measureWaits(actions.answers, 2_000);
      for (const what of ['answers', 'signing in'] as const) {
        const { p99, failures } = under[what];
        const ratio = p99 / quiet[what].p99;
        const holds = failures === 0 && p99 <= MAX_P99_MS && ratio <= MAX_RATIO;
        rows.push({
          ...{ attack, what, 'p99 (ms)': told(p99), 'times the quiet p99': ratio.toFixed(1), failures },
          ...{ 'memory (MiB)': memory, 'the attacker received': JSON.stringify(received), holds },
        });
      }
    }
    console.table(rows);
    const harms = rows.filter(({ holds }) => !holds).map(({ attack, what }) => `${attack}: ${what}`);
    return program.child.exitCode === null ? harms : [...harms, 'the program ended'];
  } finally {
    await program.end();
    await remove();
  }
}

const told = (ms: number) => ms.toFixed(0);

/** Creates a library in which a search has something to do. @returns a long melody */
async function createLibrary(teacher: Client): Promise<Melody> {
  const transmissionLevelId = await firstLevel(teacher);
  const create = async (parts: Parameters<Client['form']>[1]) => {
    const { status, body } = await teacher.form('/api/melodies', { transmissionLevelId, ...parts });
    if (status !== 201) throw new Error(`A melody was answered with ${status}`);
    return body as Melody;
  };
  const line = (at: number) => `om mani padme hum w${at % 7} བླ་མ་མཁྱེན་ནོ་ ${at}\n`;
  for (let at = 0; at < MELODIES; at += 1) {
    const melodyText = Array.from({ length: 30 }, (_, row) => line(at * row)).join('');
    await create({ title: `Song ${at}`, melodyText });
  }
  return create({ title: 'Long', audioFile: { bytes: tone(600, 220, 48_000), name: 'long.wav' } });
}

/** Requests of a student's page, and of a player for 64 KiB of a melody. */
function actionsOf(client: Client, melody: Melody): Action[] {
  const get = (path: string, headers: Record<string, string> = {}): Action => {
    return async (signal) => (await client.get(path, { signal, headers })).status;
  };
  return [
    get('/api/user'),
    get(`/api/melodies/${melody.id}`),
    get('/api/feedback/unread-count'),
    get('/api/student/recordings'),
    get(`/api/files/${melody.audioUrl}?type=audio`, { range: 'bytes=0-65535' }),
  ];
}

/** Signs the teacher in on a known device, each time from scratch. */
const signInAgain =
  (url: string, device: string): Action =>
  async (signal) => {
    const browser = new Client(url);
    browser.cookies.set('device', device);
    return (await browser.post('/api/login', TEACHER, { signal })).status;
  };

/** Repeats these actions for a while. @returns p99 in ms, and how many were refused or timed out */
async function measureWaits(actions: Action[], forMs: number) {
  const taken: number[] = [];
  let failures = 0;
  for (const until = performance.now() + forMs; performance.now() < until;)
    for (const action of actions) {
      const began = performance.now();
      const status = await action(AbortSignal.timeout(REQUEST_TIMEOUT_MS)).catch(() => 0);
      taken.push(performance.now() - began);
      if (status < 200 || status >= 400) failures += 1;
      await wait(PAUSE_MS);
    }
  taken.sort((a, b) => a - b);
  return { p99: taken[Math.floor(taken.length * 0.99)]!, failures };
}

/** In a process with lower priority than the server's: a real attacker uses another machine. */
async function startAttack(attack: Attack, input: AttackInput) {
  const attacker = fork(new URL('harness/attacker.ts', import.meta.url), [attack, JSON.stringify(input)]);
  setPriority(attacker.pid!, constants.priority.PRIORITY_LOW);
  await once(attacker, 'message');
  return {
    /** Responses that the attacker has received so far. */
    async counts() {
      attacker.send('counts');
      const [counts] = (await once(attacker, 'message')) as [Record<string, number>];
      return counts;
    },
    async end() {
      attacker.kill('SIGKILL');
      await once(attacker, 'exit');
    },
  };
}

/** Resident memory in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Two mebibytes. */
const SONG = tone(32, 220, 32_000);

/** Counts responses by status, and other outcomes. */
type Count = (what: string) => void;

/** Each runs until its process is killed. */
export const ATTACKS = {
  'searches of 99 words': (given, count) =>
    manyAtOnce(24, async () => {
      const words = Array.from({ length: 99 }, (_, at) => `w${at % 7}`)
        .join(' ')
        .slice(0, 190);
      const { status } = await student(given).get(`/api/melodies?q=${encodeURIComponent(words)}`);
      count(String(status));
    }),

  'unfinished forms': (given, count) =>
    manyAtOnce(40, async () => {
      const socket = await opened(given.url);
      void statusOf(socket).then(count);
      socket.write(
        head('POST', '/api/recordings', given, {
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '1000000000',
        }),
      );
      const field = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;
      for (let at = 0; at < 40 && socket.writable; at += 1) {
        await sent(socket, field(`field${at}`));
        await sent(socket, 'x'.repeat(1024 * 1024 - 200));
        await sent(socket, '\r\n');
      }
    }),

  'slow bodies of strangers': (given, count) =>
    manyAtOnce(200, async () => {
      const socket = await opened(given.url);
      const answered = statusOf(socket);
      socket.write(
        head('POST', '/api/login', null, { 'content-type': 'application/json', 'content-length': '9000' }),
      );
      while (socket.writable) {
        await sent(socket, ' ');
        await wait(500);
      }
      count(await answered);
    }),

  'wrong passwords': (given, count) =>
    manyAtOnce(200, async (at) => {
      const client = new Client(given.url);
      const password = at % 2 === 0 ? given.password : 'not the password';
      const { status } = await client.post('/api/login', { username: given.username, password });
      count(String(status));
    }),

  'recordings without end': (given, count) =>
    manyAtOnce(8, async () => {
      const audio = { bytes: SONG, name: 'take.wav', type: 'audio/wav' };
      const { status } = await student(given).form('/api/recordings', { title: 'Again', audio });
      count(String(status));
    }),

  'answers that nobody reads': (given, count) =>
    manyAtOnce(100, async () => {
      const socket = await opened(given.url);
      socket.pause();
      const ended = new Promise((resolve) => socket.once('close', resolve));
      socket.write(head('GET', `/api/files/${given.file}?type=audio`, given, { range: 'bytes=0-' }));
      await Promise.race([ended, wait(30_000)]);
      count(socket.destroyed ? 'cut off' : 'still open');
      socket.destroy();
    }),

  'lists and event streams': (given, count) =>
    manyAtOnce(64, async (at) => {
      const path = at % 8 === 0 ? '/api/events' : '/api/melodies';
      const { status } = await student(given).get(path, { signal: AbortSignal.timeout(5000) });
      count(String(status));
    }),
} satisfies Record<string, (given: AttackInput, count: Count) => Promise<void>>;

export type Attack = keyof typeof ATTACKS;

/** How many at once, each again and again; failures are retried after a moment. */
async function manyAtOnce(many: number, once: (at: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: many }, async (_, at) => {
      for (;;) await once(at).catch(() => wait(50));
    }),
  );
}

function student({ url, cookie }: AttackInput) {
  const client = new Client(url);
  client.cookies.set('session', cookie);
  return client;
}

function head(method: string, path: string, given: AttackInput | null, headers: Record<string, string>) {
  const all = {
    host: 'localhost',
    ...(given && { cookie: `session=${given.cookie}` }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setMaxListeners(0);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    // Being cut off is the point.
    socket.on('error', () => undefined);
  });
}

const sent = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => {
    if (!socket.writable || socket.write(text)) return resolve();
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });

/** The response's status, or that the connection was closed without one. */
const statusOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString('latin1').slice(9, 12)));
    socket.once('close', () => resolve('closed'));
  });
