import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './platform/server/embedded-postgres/start.ts';
import { Client, type Reply } from './testing/client.ts';
import { newDataFolder, startProgram, type Program } from './testing/program.ts';
import { tone } from './testing/tone.ts';
import { eventually } from './testing/waiting.ts';

/** The backup commands of docs/operations.md, verbatim, with what people do while they run. */

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

const operations = readFileSync(join(import.meta.dirname, '..', 'docs', 'operations.md'), 'utf8');
const [takeBackup = '', restoreBackup = ''] = [...operations.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, block]) => block,
);
const programs = systemPostgres();
const PASSWORD = 'teacher-pass';

test.skipIf(!programs)(
  'a backup taken while people send, replace and delete has the sound of each recording that it names',
  async () => {
    const [source, target] = [await databaseServer(), await databaseServer()];
    const dataDir = await folder();
    const first = await started(dataDir, source);
    const { teacher, student, level } = await community(first);
    const early = await send(student, 'Early', 1);
    const withdrawn = await send(student, 'Withdrawn', 2);
    const melody = await teacher.form('/api/melodies', {
      title: 'Song',
      transmissionLevelId: level,
      audioFile: { bytes: tone(3), name: 'song.wav' },
    });

    const backup = await backupOf({ DATABASE_URL: source, DATA_DIR: dataDir });
    // The files have been copied once …
    await backup.reaches('copied-1');
    const doomed = await send(student, 'Doomed', 4);
    await send(student, 'Meanwhile', 5);
    backup.resume('copied-1');
    // … the dump is taken, and has all four.
    await backup.reaches('dumped-1');
    for (const { id } of [doomed, withdrawn])
      expect((await student.delete(`/api/recordings/${String(id)}`)).status).toBe(200);
    const replaced = await teacher.form(
      `/api/melodies/${String(melody.body.id)}`,
      { title: 'Song', audioFile: { bytes: tone(6), name: 'song.wav' } },
      { method: 'PUT' },
    );
    expect(replaced.status).toBe(200);
    await send(student, 'Late', 7);
    backup.resume('dumped-1');
    // 'Doomed' was created and deleted between the copies of its files: the dump names a file that does not exist.
    await backup.reaches('copied-2');
    for (const point of ['copied-2', 'dumped-2']) backup.resume(point);
    expect(await backup.ended).toBe(0);
    // Only that one: the other files were copied before they were deleted, or after they arrived.
    expect(backup.output().match(/FAILED open or read/g)).toHaveLength(1);
    expect(backup.output()).toContain('The backup is whole');

    const restored = join(await folder(), 'data');
    execFileSync('sh', ['-euc', restoreBackup.replace(/^cd .*$/m, 'cd "$BACKUP"')], {
      env: environment({ DATABASE_URL: target, DATA_DIR: restored, BACKUP: backup.to }),
      stdio: 'pipe',
    });
    const second = await started(restored, target);
    const there = new Client(second.url);
    await there.post('/api/login', { username: 'khandro', password: PASSWORD });
    const pending = (await there.get('/api/admin/pending-recordings')).body as Recording[];
    expect(pending.map(({ title }) => title).sort()).toEqual(['Early', 'Late', 'Meanwhile']);
    expect(await soundOf(there, early.audioUrl)).toEqual(tone(1));
    for (const [title, seconds] of Object.entries({ Early: 1, Meanwhile: 5, Late: 7 }))
      expect(await soundOf(there, pending.find((one) => one.title === title)!.audioUrl)).toEqual(
        tone(seconds),
      );
    const [song] = (await there.get('/api/melodies')).body as { audioUrl: string }[];
    expect(await soundOf(there, song!.audioUrl)).toEqual(tone(6));
  },
);

test.skipIf(!programs)('a backup that lacks a file named by the database says which, and fails', async () => {
  const source = await databaseServer();
  const dataDir = await folder();
  const { student } = await community(await started(dataDir, source));
  const { audioUrl } = await send(student, 'Damaged', 1);
  writeFileSync(join(dataDir, 'media', audioUrl.slice(0, 2), audioUrl), 'not what was sent');
  const backup = await backupOf({ DATABASE_URL: source, DATA_DIR: dataDir });
  for (const round of [1, 2, 3, 4, 5])
    for (const point of ['copied', 'dumped']) backup.resume(`${point}-${round}`);
  expect(await backup.ended).toBe(1);
  expect(backup.output()).toContain(`${audioUrl}: FAILED`);
});

type Recording = { id: number; title: string; audioUrl: string };

async function folder() {
  const { dataDir, remove } = await newDataFolder();
  cleanUp.push(remove);
  return dataDir;
}

/** @returns the URL of an empty database */
async function databaseServer(): Promise<string> {
  const quiet = () => undefined;
  const server = await startEmbeddedPostgres({
    dataDir: await folder(),
    binDir: programs ?? undefined,
    log: { info: quiet, warn: quiet, error: quiet },
  });
  cleanUp.push(() => server.stop());
  const { host, port, user, database } = server.connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

async function started(dataDir: string, DATABASE_URL: string): Promise<Program> {
  const program = await startProgram({ dataDir, environment: { DATABASE_URL, ADMIN_PASSWORD: PASSWORD } });
  cleanUp.push(() => program.end());
  return program;
}

async function community({ url }: Program) {
  const teacher = new Client(url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const made = await teacher.post('/api/admin/create-user-with-credentials', {
    email: 'tashi@example.org',
    firstName: 'Tashi',
    lastName: 'Dolma',
    transmissionLevels: [level!.id],
  });
  const student = new Client(url);
  await student.post('/api/login', { username: 'tashi', password: made.body.password });
  return { teacher, student, level: level!.id };
}

async function send(student: Client, title: string, seconds: number): Promise<Recording> {
  const sent: Reply = await student.form('/api/recordings', {
    title,
    audio: { bytes: tone(seconds), name: 'a.wav' },
  });
  expect(sent.status).toBe(201);
  return sent.body;
}

const soundOf = async (client: Client, audioUrl: string) =>
  (await client.get(`/api/files/${audioUrl}?type=audio`)).bytes;

/** Runs the documented commands, which pause before each dump ('copied-1', …) and after it ('dumped-1', …). */
async function backupOf(settings: { DATABASE_URL: string; DATA_DIR: string }) {
  const place = await folder();
  const to = join(place, 'backup');
  const shims = join(place, 'bin');
  mkdirSync(shims);
  const wait = (point: string) =>
    `touch "${place}/${point}-$round"; until [ -e "${place}/go-${point}-$round" ]; do sleep 0.05; done`;
  const shim = (name: string, text: string) => {
    writeFileSync(join(shims, name), `#!/bin/sh\nset -e\n${text}\n`);
    chmodSync(join(shims, name), 0o755);
  };
  const rounds = join(place, 'rounds');
  writeFileSync(rounds, '');
  shim(
    'psql',
    `echo >> ${rounds}; export round=$(wc -l < ${rounds})\n${wait('copied')}\n"${programs}/psql" "$@"`,
  );
  shim('pg_dump', `"${programs}/pg_dump" "$@"\n${wait('dumped')}`);
  const script = takeBackup.replace(/^to=.*$/m, `to=${to}`);
  expect(script).toContain(`to=${to}`);
  const child = spawn('sh', ['-c', script], {
    env: environment(settings, shims),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanUp.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    to,
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
    reaches: (point: string) =>
      eventually(
        () => {
          if (child.exitCode !== null) throw new Error(output);
          expect(existsSync(join(place, point))).toBe(true);
        },
        { timeout: 120_000 },
      ),
    resume: (point: string) => writeFileSync(join(place, `go-${point}`), ''),
  };
}

const environment = (settings: Record<string, string>, first = '') => ({
  ...settings,
  HOME: process.env.HOME,
  PATH: [first, programs, process.env.PATH].filter(Boolean).join(':'),
});

/** The folder of a PostgreSQL that includes the client programs, if installed. */
function systemPostgres(): string | null {
  try {
    const initdb = execFileSync('sh', ['-c', 'readlink -f "$(command -v initdb)"'], { encoding: 'utf8' });
    const bin = dirname(initdb.trim());
    return ['psql', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(bin, name))) ? bin : null;
  } catch {
    return null;
  }
}
