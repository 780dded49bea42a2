import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { TestClient } from '#testing/client.ts';
import { TEACHER_CREDENTIALS, type RunningCommunity } from '#testing/community.ts';
import { getMemoryMiB } from '#testing/process-usage.ts';
import { createTone } from '#testing/tone.ts';

// Checks that one student or a stranger can't starve other users. During each attack, the responses to
// another student and the teacher may take at most five times as long as just before the attack.

const MAX_RATIO = 5;
/**
 * Share of the responses that must meet the limit. The others are ignored as outliers. The share is smaller
 * for sign-ins, because only dozens of them are measured, not hundreds.
 */
const SHARES = { answers: 0.95, 'signing in': 0.9 };
type ResponseKind = keyof typeof SHARES;
const RESPONSE_KINDS = Object.keys(SHARES) as ResponseKind[];
const MELODIES = 400;
const REQUEST_TIMEOUT_MS = 10_000;
const PAUSE_MS = 15;

/**
 * Data for the attacks: the session and password of one student, and a large audio file that this student may
 * hear.
 */
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
export async function runStarvationAttacks(community: RunningCommunity, forMs: number): Promise<string[]> {
  const { url, program, teacher, newStudent, as } = community;
  const melody = await createLibrary(community);
  const student = await as(await newStudent());
  const attacker = await newStudent();
  const cookie = (await as(attacker)).cookies.get('session')!;
  const input: AttackInput = { url, cookie, ...attacker, file: melody.audioUrl };
  const actions = {
    answers: createActions(student, melody),
    'signing in': [signInAgain(url, teacher.cookies.get('device')!)],
  };
  const measure = async (what: ResponseKind, ms: number) => measureWaits(actions[what], SHARES[what], ms);

  for (const what of RESPONSE_KINDS) await measure(what, 2_000);
  const rows = [];
  for (const attack of Object.keys(STARVATION_ATTACKS) as StarvationAttack[]) {
    // Lets the remaining requests of the last attack finish before anything is measured.
    await measure('answers', 2_000);
    const quiet = {
      answers: await measure('answers', forMs),
      'signing in': await measure('signing in', forMs),
    };
    const { counts, end } = await startAttack(attack, input);
    for (const what of RESPONSE_KINDS) {
      const { taken, failures } = await measure(what, forMs);
      const memory = await getMemoryMiB(program.child.pid!);
      const ratio = taken / quiet[what].taken;
      rows.push({
        ...{ attack, what, ms: taken.toFixed(0), 'before the attack': quiet[what].taken.toFixed(0) },
        ...{ ratio: ratio.toFixed(1), failures, 'memory (MiB)': memory.toFixed(0) },
        'the attacker received': JSON.stringify(await counts()),
        holds: failures === 0 && ratio <= MAX_RATIO,
      });
    }
    await end();
  }
  console.table(rows);
  const harms = rows.filter(({ holds }) => !holds).map(({ attack, what }) => `${attack}: ${what}`);
  return program.child.exitCode === null ? harms : [...harms, 'the program ended'];
}

/** Creates a library that is expensive to search. @returns a long melody */
async function createLibrary({ addMelody }: RunningCommunity): Promise<Melody> {
  const line = (at: number) => `om mani padme hum w${at % 7} བླ་མ་མཁྱེན་ནོ་ ${at}\n`;
  for (let at = 0; at < MELODIES; at += 1) {
    const melodyText = Array.from({ length: 30 }, (_, row) => line(at * row)).join('');
    await addMelody({ title: `Song ${at}`, melodyText });
  }
  return addMelody({ title: 'Long', audioFile: { bytes: createTone(600, 220, 48_000), name: 'long.wav' } });
}

/** Returns actions that make the requests of a student's page, and the player's request for 64 KiB of a melody. */
function createActions(client: TestClient, melody: Melody): Action[] {
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

/** Returns an action that signs the teacher in on a known device, each time without a session. */
const signInAgain =
  (url: string, device: string): Action =>
  async (signal) => {
    const browser = new TestClient(url);
    browser.cookies.set('device', device);
    return (await browser.post('/api/login', TEACHER_CREDENTIALS, { signal })).status;
  };

/**
 * Repeats these actions for a while.
 * @returns the ms within which this share of the actions was answered, and the number of failures
 */
async function measureWaits(actions: Action[], share: number, forMs: number) {
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
  return { taken: taken[Math.floor(taken.length * share)]!, failures };
}

/**
 * Starts an attack in a process of lower priority than the server's, because a real attacker would not share
 * the server's CPU.
 */
async function startAttack(attack: StarvationAttack, input: AttackInput) {
  const attacker = fork(new URL('harness/attacker.ts', import.meta.url), [attack, JSON.stringify(input)]);
  setPriority(attacker.pid!, constants.priority.PRIORITY_LOW);
  await once(attacker, 'message');
  return {
    /** Returns the attacker's counts so far, by response status or other outcome. */
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

/** About 2 MB of audio. */
const SONG = createTone(32, 220, 32_000);

/** Counts responses by status, and other outcomes. */
type Count = (what: string) => void;

/** Attacks, each of which runs until its process is killed. */
export const STARVATION_ATTACKS = {
  'searches of 99 words': (given, count) =>
    repeatConcurrently(24, async () => {
      const words = Array.from({ length: 99 }, (_, at) => `w${at % 7}`)
        .join(' ')
        .slice(0, 190);
      const { status } = await createAttackerClient(given).get(
        `/api/melodies?q=${encodeURIComponent(words)}`,
      );
      count(String(status));
    }),

  'unfinished forms': (given, count) =>
    repeatConcurrently(40, async () => {
      const socket = await openSocket(given.url);
      void readStatus(socket).then(count);
      socket.write(
        buildRequestHead('POST', '/api/recordings', given, {
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '1000000000',
        }),
      );
      const field = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;
      for (let at = 0; at < 40 && socket.writable; at += 1) {
        await writeToSocket(socket, field(`field${at}`));
        await writeToSocket(socket, 'x'.repeat(1024 * 1024 - 200));
        await writeToSocket(socket, '\r\n');
      }
    }),

  'slow bodies of strangers': (given, count) =>
    repeatConcurrently(200, async () => {
      const socket = await openSocket(given.url);
      const answered = readStatus(socket);
      socket.write(
        buildRequestHead('POST', '/api/login', null, {
          'content-type': 'application/json',
          'content-length': '9000',
        }),
      );
      while (socket.writable) {
        await writeToSocket(socket, ' ');
        await wait(500);
      }
      count(await answered);
    }),

  'wrong passwords': (given, count) =>
    repeatConcurrently(200, async (at) => {
      const client = new TestClient(given.url);
      const password = at % 2 === 0 ? given.password : 'not the password';
      const { status } = await client.post('/api/login', { username: given.username, password });
      count(String(status));
    }),

  'recordings without end': (given, count) =>
    repeatConcurrently(8, async () => {
      const audio = { bytes: SONG, name: 'take.wav', type: 'audio/wav' };
      const { status } = await createAttackerClient(given).form('/api/recordings', { title: 'Again', audio });
      count(String(status));
    }),

  'answers that nobody reads': (given, count) =>
    repeatConcurrently(100, async () => {
      const socket = await openSocket(given.url);
      socket.pause();
      const ended = new Promise((resolve) => socket.once('close', resolve));
      socket.write(
        buildRequestHead('GET', `/api/files/${given.file}?type=audio`, given, { range: 'bytes=0-' }),
      );
      await Promise.race([ended, wait(30_000)]);
      count(socket.destroyed ? 'cut off' : 'still open');
      socket.destroy();
    }),

  'lists and event streams': (given, count) =>
    repeatConcurrently(64, async (at) => {
      const path = at % 8 === 0 ? '/api/events' : '/api/melodies';
      const { status } = await createAttackerClient(given).get(path, { signal: AbortSignal.timeout(5000) });
      count(String(status));
    }),
} satisfies Record<string, (given: AttackInput, count: Count) => Promise<void>>;

export type StarvationAttack = keyof typeof STARVATION_ATTACKS;

/** Runs this many calls concurrently and repeats each forever, with a pause after a failure. */
async function repeatConcurrently(many: number, once: (at: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: many }, async (_, at) => {
      for (;;) await once(at).catch(() => wait(50));
    }),
  );
}

function createAttackerClient({ url, cookie }: AttackInput) {
  const client = new TestClient(url);
  client.cookies.set('session', cookie);
  return client;
}

function buildRequestHead(
  method: string,
  path: string,
  given: AttackInput | null,
  headers: Record<string, string>,
) {
  const all = {
    host: 'localhost',
    ...(given && { cookie: `session=${given.cookie}` }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setMaxListeners(0);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    // Errors are expected, because the server may cut the connection.
    socket.on('error', () => undefined);
  });
}

const writeToSocket = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => {
    if (!socket.writable || socket.write(text)) return resolve();
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });

/** Returns the status of the response, or 'closed' if the connection closes without one. */
const readStatus = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString('latin1').slice(9, 12)));
    socket.once('close', () => resolve('closed'));
  });
