import { readdir, readFile } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/find-chromium.js';
import { Client, type FormParts } from '#testing/client.ts';
import { newDataFolder, processesNaming, startProgram, type Program } from '#testing/program.ts';

// Shared by all benchmarks: a program with a teacher, requests, CPU time and memory of processes, and a report.

const TEACHER = { username: 'khandro', password: 'teacher-pass' };

/** Encodings that a browser accepts. */
export const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

export type Account = { username: string; password: string };

/** A program with a teacher and one level. */
export type Community = {
  readonly program: Program;
  teacher: Client;
  addMelody(parts: FormParts): Promise<{ id: number; audioUrl: string }>;
  /** @param level of the student; the first by default */
  addStudent(email: string, level?: number): Promise<Account>;
  /** Starts a new process on the same folder. */
  restart(): Promise<void>;
  end(): Promise<void>;
};

/** Starts a program of its own, and signs the teacher in. */
export async function startCommunity(environment: NodeJS.ProcessEnv = {}): Promise<Community> {
  const { dataDir, remove } = await newDataFolder();
  const start = () =>
    startProgram({ dataDir, environment: { ADMIN_PASSWORD: TEACHER.password, ...environment } });
  let program = await start();
  const teacher = new Client(program.url);
  await teacher.post('/api/login', TEACHER);
  await teacher.post('/api/init');
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const levelId = levels[0]!.id;
  return {
    get program() {
      return program;
    },
    teacher,
    async addMelody(parts) {
      const { status, body } = await teacher.form('/api/melodies', {
        title: 'Calling the Lama from Afar',
        transmissionLevelId: levelId,
        ...parts,
      });
      if (status !== 201) throw new Error(`A melody was answered with ${status}`);
      return body as { id: number; audioUrl: string };
    },
    async addStudent(email, level = levelId) {
      const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
        ...{ email, firstName: 'Tashi', lastName: 'Dolma' },
        transmissionLevels: [level],
      });
      return { username: body.user.username as string, password: body.password as string };
    },
    async restart() {
      await program.end();
      program = await start();
    },
    async end() {
      await program.end();
      await remove();
    },
  };
}

/** @param more arguments of its command line */
export function openChromium(more: string[] = []) {
  const executablePath = findChromium();
  const sound = '--autoplay-policy=no-user-gesture-required';
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', sound, ...more],
  });
}

export type Bound = { most: number } | { least: number };

let isWithin = true;

/** Prints a figure beside its bound. A figure out of bounds makes the benchmark fail. */
export function report(what: string, value: number, bound: Bound | null, unit: string, more = '') {
  const holds = bound === null || ('most' in bound ? value <= bound.most : value >= bound.least);
  isWithin &&= holds;
  process.exitCode = isWithin ? 0 : 1;
  const limit =
    bound === null ? '' : 'most' in bound ? `(at most ${bound.most}) ` : `(at least ${bound.least}) `;
  const figure = value.toFixed(value >= 100 ? 0 : 2);
  const verdict = bound === null ? '     ' : holds ? 'holds' : 'FAILS';
  console.log(`${verdict}  ${what.padEnd(56)} ${figure.padStart(6)} ${limit}${unit}${more && `; ${more}`}`);
}

export const medianOf = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

export type Ask = { path: string; method?: string; headers?: Record<string, string>; body?: Buffer };
export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: number; ms: number };

type LoadOptions = { atOnce: number; count: number; status: number };

/**
 * Sends requests, `atOnce` at a time, until `count` are answered.
 * @param next the n-th request
 * @throws Error at an answer with another status
 */
export async function load(url: string, options: LoadOptions, next: (index: number) => Ask) {
  const { atOnce, count, status } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const answers: Answer[] = [];
  try {
    await inParallel(atOnce, count, async (index) => {
      const ask = next(index);
      const answer = await send(agent, url, ask);
      if (answer.status !== status) throw new Error(`${ask.path} was answered with ${answer.status}`);
      answers.push(answer);
    });
  } finally {
    agent.destroy();
  }
  return answers;
}

export async function inParallel(atOnce: number, count: number, task: (index: number) => Promise<unknown>) {
  let begun = 0;
  const one = async () => {
    while (begun < count) await task(begun++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

function send(agent: Agent, url: string, { path, method = 'GET', headers = {}, body }: Ask) {
  return new Promise<Answer>((resolve, reject) => {
    const begun = performance.now();
    const asked = request(
      url + path,
      { agent, method, headers: { ...headers, ...(body && { 'content-length': body.length }) } },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
        answer.on('end', () => {
          const { statusCode = 0, headers: given } = answer;
          resolve({ status: statusCode, headers: given, bytes, ms: performance.now() - begun });
        });
        answer.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Returns the time within which this share of the requests was answered, in ms. */
export function quantile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/**
 * Measures each way in turn, again and again, so that other work on the machine affects all alike.
 * @param ways each returns what it cost
 * @returns the least cost of each
 */
export async function cheapest<K extends string>(rounds: number, ways: Record<K, () => Promise<number>>) {
  const least = {} as Record<K, number>;
  for (let round = 0; round < rounds; round += 1)
    for (const way of Object.keys(ways) as K[])
      least[way] = Math.min(least[way] ?? Infinity, await ways[way]());
  return least;
}

/** Returns the CPU time in ms of each of `count` things that are done. @param used CPU time so far */
export async function cpuOfEach(count: number, used: () => Promise<number>, work: () => Promise<unknown>) {
  const before = await used();
  await work();
  return ((await used()) - before) / count;
}

const MS_PER_TICK = 10;

/** CPU time in ms that a process has used, with its children that have exited. */
export async function cpuMsOf(pid: number): Promise<number> {
  return cpuMs(await statOf(pid));
}

/** CPU time in ms of the program, its database, and every process of theirs, including those that have exited. */
export async function cpuMsOfAll({ child, dataDir }: Program): Promise<number> {
  const roots = new Set([child.pid!, ...(await processesNaming(dataDir))]);
  let used = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await statOf(Number(name));
    if (roots.has(Number(name)) || roots.has(Number(fields[1]))) used += cpuMs(fields);
  }
  return used;
}

/** Resident memory in MiB; with `VmHWM`, the most that it ever was. */
export async function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/** Fields of /proc/<pid>/stat from the third on, which follow the name in parentheses; empty if there is no process. */
async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const cpuMs = (fields: string[]) =>
  [11, 12, 13, 14].reduce((ticks, field) => ticks + Number(fields[field] ?? 0), 0) * MS_PER_TICK;
