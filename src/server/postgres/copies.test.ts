import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { preparePostgresForSystemUsers } from '#testing/for-system-users.ts';
import { findRunningConnectionSettings } from './connection.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres, type PostgresStartOptions } from './start.ts';

/** Tests with copied and moved data folders, in which the pid file may name another server. */

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const running: EmbeddedPostgres[] = [];
let home: string;
let original: string;
let copy: string;

/**
 * Folder with copies of PostgreSQL's programs, because `nobody` can't execute programs below root's home
 * folder.
 */
let binDir: string | undefined;
beforeAll(async () => {
  if (!isRoot) return;
  const postgres = await preparePostgresForSystemUsers();
  binDir = postgres.binDir;
  return postgres.remove;
});

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'yangchen-test-'));
  chmodSync(home, 0o755);
  original = join(home, 'data');
  copy = join(home, 'copy');
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

it('starting a copy of a data folder does not stop the original’s server', async () => {
  const first = await start(original);
  await queryServer(first, 'CREATE TABLE songs AS SELECT 1 AS id');
  await copyRunning(first);
  const second = await start(copy);
  await queryServer(first, 'INSERT INTO songs VALUES (2)');
  expect(await queryServer(first, 'SELECT id FROM songs ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await queryServer(second, 'SELECT id FROM songs')).toEqual([{ id: 1 }]);
});

it('starting a copy does not stop an original server whose socket is in /tmp', async () => {
  original = longPath();
  const first = await start(original);
  await copyRunning(first);
  await start(copy);
  expect(await queryServer(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it.skipIf(!isLinux)(
  'starting a copy at the original’s path does not stop the original’s server',
  async () => {
    const first = await start(original);
    const pid = pidIn(original);
    await copyRunning(first);
    renameSync(original, join(home, 'aside'));
    renameSync(copy, original);
    // The pid, path and start time of the first server match the pid file, but that server runs in the folder
    // that was moved away.
    const second = await start(original);
    expect(isAlive(pid)).toBe(true);
    expect(await queryServer(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  },
);

it('does not mistake the original’s server for the server of its copy', async () => {
  const first = await start(original);
  expect(await findRunningConnectionSettings(original)).toEqual(first.connection);
  await copyRunning(first);
  expect(await findRunningConnectionSettings(copy)).toBe(null);
});

it('does not connect a moved data folder to the server at its old path', async () => {
  const first = await start(original);
  await copyRunning(first);
  const aside = join(home, 'aside');
  renameSync(original, aside);
  renameSync(copy, original);
  await start(original);
  expect(await findRunningConnectionSettings(aside)).toBe(null);
});

it.skipIf(!isLinux)('stops an orphaned server even after its folder was moved', async () => {
  await start(original);
  const pid = pidIn(original);
  running.splice(0);
  renameSync(original, copy);
  expect(await queryServer(await start(copy), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(isAlive(pid)).toBe(false);
});

it.skipIf(!isLinux)('recognizes the running server of a data folder through a symlink', async () => {
  await start(original);
  const pid = pidIn(original);
  running.splice(0);
  symlinkSync(original, copy);
  expect(await findRunningConnectionSettings(copy)).not.toBe(null);
  await start(copy);
  expect(isAlive(pid)).toBe(false);
});

it.skipIf(!isRoot || !isLinux)(
  'stops an orphaned server even if the kernel hides its working directory',
  async () => {
    await start(original, { rootMode: 'nobody', binDir });
    const pid = pidIn(original);
    running.splice(0);
    const script = fileURLToPath(new URL('./other-yangchen.fixture.ts', import.meta.url));
    const other = spawn('setpriv', ['--bounding-set', '-sys_ptrace', process.execPath, script, original], {
      env: { ...process.env, ...(binDir && { PG_BIN_DIR: binDir }) },
    });
    const [said] = (await once(other.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('ready\n');
    expect(isAlive(pid)).toBe(false);
    other.kill('SIGTERM');
    await once(other, 'exit');
  },
);

it('starting the original, but not its copy, removes a socket left behind by a crash', async () => {
  original = longPath();
  const first = await start(original);
  await copyRunning(first);
  const left = first.connection.host;
  const ended = new Promise((resolve) => first.onExit(resolve));
  running.splice(0);
  process.kill(pidIn(original), 'SIGKILL');
  await ended;
  await start(copy);
  expect(existsSync(left)).toBe(true);
  await start(original);
  expect(existsSync(left)).toBe(false);
});

it('the error for an inconsistent copy says that it was made while the server ran', async () => {
  const first = await start(original);
  await copyRunning(first);
  const wal = join(copy, 'postgres', 'pg_wal');
  for (const name of readdirSync(wal)) rmSync(join(wal, name), { recursive: true });
  await expect(start(copy)).rejects.toThrow(
    `It was copied or moved from ${join(original, 'postgres')} while the database ran there`,
  );
});

it.skipIf(!isRoot)(
  'does not change the owner of files that a symlink in the data folder points to',
  async () => {
    await (await start(original, { rootMode: 'namespace' })).stop();
    running.splice(0);
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'another-s'), '');
    symlinkSync(elsewhere, join(original, 'postgres', 'link'));
    await start(original, { rootMode: 'nobody', binDir });
    expect(statSync(join(original, 'postgres', 'PG_VERSION')).uid).toBe(65_534);
    expect(statSync(join(elsewhere, 'another-s')).uid).toBe(0);
  },
);

async function start(
  dataDir: string,
  options: Partial<PostgresStartOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, ...options });
  running.push(server);
  return server;
}

/**
 * Copies the data folder of a running server, like an operator who doesn't know that this is unsafe. The
 * database is idle, so the copy is consistent.
 */
async function copyRunning(server: EmbeddedPostgres) {
  await queryServer(server, 'CHECKPOINT');
  execFileSync('cp', ['-a', original, copy]);
}

const longPath = () => join(home, 'a-rather-long-name'.repeat(6), 'data');

async function queryServer(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const pidIn = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
