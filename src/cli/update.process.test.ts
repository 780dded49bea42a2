import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { connectToCommunity, TEACHER_CREDENTIALS } from '#testing/community.ts';
import { copyTemplateCluster } from '#testing/cluster.ts';
import { NOBODY_UID } from '#testing/for-system-users.ts';
import { killProcess } from '#testing/kill-process.ts';
import { findProcessIdsByFolder, startProgram } from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { waitFor } from '#testing/wait-for.ts';
import { runUpdateCommand } from './update.ts';

const PROJECT = join(import.meta.dirname, '../..');
const CURRENT = packageJson.version;
const NEXT = '99.0.0';
const PLATFORM = `${process.platform}-${process.arch}`;

const { folder } = createTestCleanup();

/** Folder of a complete newer version: this build with another version number. */
let newer: string;
beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'yangchen-newer-'));
  newer = join(parent, `yangchen-${NEXT}`);
  await mkdir(newer);
  await copyBuild(newer);
  await cp(join(PROJECT, 'deploy/yangchen'), join(newer, 'yangchen'));
  await describe(newer, { version: NEXT });
  return () => rm(parent, { recursive: true, force: true });
});

async function copyBuild(to: string) {
  for (const path of ['dist/web', 'src/server/db/migrations'])
    await cp(join(PROJECT, path), join(to, path), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(to, 'node_modules'));
}

const describe = (program: string, given: object) =>
  writeFile(
    join(program, 'package.json'),
    JSON.stringify({ name: 'yangchen', version: CURRENT, type: 'module', release: PLATFORM, ...given }),
  );

/**
 * Creates a folder with the current version and a link to it, and a data folder.
 * @param isComplete whether the version has a program and the data folder a database, which only a backup needs
 */
async function install({ isComplete = false } = {}) {
  const dataDir = await folder();
  const opt = await realpath(await folder());
  const installed = join(opt, `yangchen-${CURRENT}`);
  await mkdir(installed);
  await describe(installed, {});
  if (isComplete) {
    await copyTemplateCluster(dataDir);
    await copyBuild(installed);
  }
  const link = join(opt, 'yangchen');
  await symlink(`yangchen-${CURRENT}`, link);
  return { dataDir, opt, installed, link };
}

type Place = Awaited<ReturnType<typeof install>>;

const update = ({ dataDir, installed }: Place, archive: string, rehearsalTimeoutMs?: number) =>
  runUpdateCommand(
    [archive],
    { dataDir, backupDir: null },
    { installed, ...(rehearsalTimeoutMs !== undefined && { rehearsalTimeoutMs }) },
  );

/** Creates an archive of a program that does nothing but run this script. */
async function makeArchive(script: string, given: object = {}): Promise<string> {
  const parent = await folder();
  const program = join(parent, 'yangchen-new');
  await mkdir(program);
  await describe(program, { version: NEXT, ...given });
  await writeFile(join(program, 'yangchen'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return pack(parent, 'yangchen-new');
}

function pack(parent: string, name: string): string {
  execFileSync('tar', ['-cf', 'yangchen.tar', name], { cwd: parent });
  execFileSync('gzip', ['-1', 'yangchen.tar'], { cwd: parent });
  execFileSync('sh', ['-c', 'sha256sum yangchen.tar.gz > yangchen.tar.gz.sha256'], { cwd: parent });
  return join(parent, 'yangchen.tar.gz');
}

async function expectUnchanged({ opt, link }: Place) {
  expect(await readlink(link)).toBe(`yangchen-${CURRENT}`);
  expect((await readdir(opt)).sort()).toEqual(['yangchen', `yangchen-${CURRENT}`]);
}

test('links the new version after a rehearsal and a backup', async () => {
  const place = await install({ isComplete: true });
  const archive = await makeArchive('echo "$DATA_DIR $*" > rehearsed');
  expect(await update(place, archive)).toMatch(`Yangchen ${NEXT} is installed in ${place.link}.`);
  expect(await readlink(place.link)).toBe(`yangchen-${NEXT}`);
  expect(await readFile(join(place.link, 'rehearsed'), 'utf8')).toBe(
    `${place.dataDir} admin rehearse-update\n`,
  );
  expect(await readdir(place.dataDir)).toContain(`before-${NEXT}.tar`);
  expect((await readdir(place.opt)).sort()).toEqual(['yangchen', `yangchen-${CURRENT}`, `yangchen-${NEXT}`]);

  const again = update({ ...place, installed: join(place.opt, `yangchen-${NEXT}`) }, archive);
  expect(await again).toBe(`Yangchen ${NEXT} is already installed.`);
});

test.each([
  ['an older version', { version: '0.1.0' }, 'contains Yangchen 0.1.0, which is older'],
  ['another platform', { release: 'sunos-sparc' }, 'This archive is for sunos-sparc'],
  ['another program', { name: 'songs' }, 'This is not an archive of Yangchen'],
  ['a version outside the folder', { version: '../../99.0.0' }, 'This is not an archive of Yangchen'],
])('refuses an archive of %s', async (_, given, message) => {
  const place = await install();
  await expect(update(place, await makeArchive('exit 0', given))).rejects.toThrow(message);
  await expectUnchanged(place);
});

test('refuses a damaged archive, and one without a checksum', async () => {
  const place = await install();
  const archive = await makeArchive('exit 0');
  await writeFile(archive, (await readFile(archive)).subarray(0, -1));
  await expect(update(place, archive)).rejects.toThrow('is damaged or incomplete');
  await rm(`${archive}.sha256`);
  await expect(update(place, archive)).rejects.toThrow('Put the file yangchen.tar.gz.sha256');
  await expectUnchanged(place);
});

test('refuses if the program is not started through a link, or contains its data', async () => {
  const place = await install();
  const archive = await makeArchive('exit 0');
  await mkdir(join(place.installed, 'data'));
  const inside = { ...place, dataDir: join(place.link, 'data') };
  await expect(update(inside, archive)).rejects.toThrow('is in the program’s folder');
  await rm(place.link);
  await expect(update(place, archive)).rejects.toThrow(`ln -s yangchen-${CURRENT} ${place.link}`);
});

test.each([
  ['fails', 'exit 1'],
  ['is killed', 'kill -9 $$'],
  ['takes too long', 'exec sleep 600'],
])('keeps the current version if the rehearsal %s', async (_, script) => {
  const place = await install();
  const archive = await makeArchive(script);
  await expect(update(place, archive, 1_000)).rejects.toThrow(
    `Yangchen ${NEXT} was not installed, because its test with a copy of your data failed. Nothing was changed.`,
  );
  await expectUnchanged(place);
});

test('makes no update without a backup, but accepts damaged files in it', async () => {
  const place = await install();
  const program = join(place.installed, 'dist/web/.server');
  await mkdir(program, { recursive: true });
  await writeFile(join(program, 'main.admin.js'), 'process.exit(1)');
  const archive = await makeArchive('exit 0');
  await expect(update(place, archive)).rejects.toThrow('The backup failed');
  await expectUnchanged(place);

  const damaged = `import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[3], ''); process.exit(1)`;
  await writeFile(join(program, 'main.admin.js'), damaged);
  await update(place, archive);
  expect(await readlink(place.link)).toBe(`yangchen-${NEXT}`);
});

test.skipIf(process.getuid?.() !== 0)('runs the new version as the owner of the data folder', async () => {
  const place = await install();
  await chmod(place.opt, 0o755);
  await chown(place.dataDir, NOBODY_UID, NOBODY_UID);
  const archive = await makeArchive('id -u > "$DATA_DIR/user"; exit 1');
  await expect(update(place, archive)).rejects.toThrow('was not installed');
  expect(await readFile(join(place.dataDir, 'user'), 'utf8')).toBe(`${NOBODY_UID}\n`);
});

test('an update that was killed keeps the current version and can be repeated', async () => {
  const place = await install({ isComplete: true });
  const archive = await makeArchive('echo $$ > "$DATA_DIR/rehearsal"; exec sleep 600');
  const admin = join(place.installed, 'dist/web/.server/main.admin.js');
  const killed = spawn(process.execPath, [admin, 'update', archive], {
    env: { PATH: process.env.PATH, DATA_DIR: place.dataDir },
    stdio: 'ignore',
  });
  const ended = once(killed, 'exit');
  const readPid = () => readFile(join(place.dataDir, 'rehearsal'), 'utf8');
  await waitFor(async () => expect(await readPid()).toMatch(/\d\n/));
  killed.kill('SIGKILL');
  await ended;
  killProcess(Number(await readPid()));
  expect(await readlink(place.link)).toBe(`yangchen-${CURRENT}`);

  await update(place, await makeArchive('exit 0'));
  expect(await readlink(place.link)).toBe(`yangchen-${NEXT}`);
});

/** Runs the rehearsal of a complete newer version. */
const rehearse = (dataDir: string) =>
  promisify(execFile)(join(newer, 'yangchen'), ['admin', 'rehearse-update'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });

/** Creates the data folder of a community with a recording. */
async function createCommunity() {
  const dataDir = await folder();
  const environment = { ADMIN_PASSWORD: TEACHER_CREDENTIALS.password };
  const program = await startProgram({ dataDir, environment });
  const { newStudent, as } = await connectToCommunity(program.url);
  const student = await as(await newStudent());
  const audio = { bytes: createTone(1), name: 'a.wav' };
  expect((await student.form('/api/recordings', { title: 'Kyab', audio })).status).toBe(201);
  return { dataDir, program };
}

/** Hashes all files of a data folder, except the locks. */
async function hashFiles(dataDir: string): Promise<string> {
  const paths = (await readdir(dataDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'lock')
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(await readFile(path));
  return hash.digest('hex');
}

test('a rehearsal starts the new version with a copy, and changes no file', async () => {
  const { dataDir, program } = await createCommunity();
  await expect(rehearse(dataDir)).rejects.toThrow('Stop Yangchen before you update it');
  await program.end();
  // The program would set this file aside at its next start, because the database doesn't list it.
  const unlisted = join(dataDir, 'media', 'ab');
  await mkdir(unlisted, { recursive: true });
  await writeFile(join(unlisted, 'unlisted.wav'), createTone(1));
  // Operators may put the write-ahead log on another disk.
  await rename(join(dataDir, 'postgres/pg_wal'), join(dataDir, 'wal'));
  await symlink(join(dataDir, 'wal'), join(dataDir, 'postgres/pg_wal'));
  const before = await hashFiles(dataDir);
  expect((await rehearse(dataDir)).stdout).toBe('The new version started with a copy of the database.\n');
  expect(await hashFiles(dataDir)).toBe(before);
  expect(await findProcessIdsByFolder(dataDir)).toEqual([]);

  // Imitates a version whose migration fails.
  const journal = join(newer, 'src/server/db/migrations/meta/_journal.json');
  const intact = await readFile(journal, 'utf8');
  const { entries, ...rest } = JSON.parse(intact) as { entries: object[] };
  const broken = { ...entries.at(-1), idx: entries.length, when: Date.now(), tag: '9999_broken' };
  await writeFile(journal, JSON.stringify({ ...rest, entries: [...entries, broken] }));
  await writeFile(join(newer, 'src/server/db/migrations/9999_broken.sql'), 'drop table no_such_table;');
  await expect(rehearse(dataDir)).rejects.toThrow('The tables of the database could not be updated.');
  await writeFile(journal, intact);
  expect(await hashFiles(dataDir)).toBe(before);
});

test('a rehearsal without a database says which settings to check', async () => {
  await expect(rehearse(await folder())).rejects.toThrow('Set DATA_DIR and DATABASE_URL as for the program.');
});
