import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../../src/testing/client.ts';
import { tone } from '../../src/testing/tone.ts';

/** What an attack has to work with: one student's session, and a large file that this student may hear. */
export type AttackInput = {
  url: string;
  cookie: string;
  username: string;
  password: string;
  file: string;
};

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
