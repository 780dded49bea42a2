import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { TestClient } from '#testing/client.ts';
import { startProgram, type RunningProgram } from '#testing/program.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { createTone } from '#testing/tone.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const CURRENT = `yangchen-${packageJson.version}`;
const NEXT = '99.0.0';
const NAME = `${CURRENT}-${process.platform}-${process.arch}.tar.gz`;

const { cleanUp, folder } = createTestCleanup();

/** Folder with an unpacked release, and a link `yangchen` to it. */
let opt: string;
beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'release'], { cwd: PROJECT });
  opt = await realpath(await mkdtemp(join(tmpdir(), 'yangchen-release-')));
  execFileSync('tar', ['-xzf', join(PROJECT, 'dist/release', NAME), '-C', opt]);
  await symlink(CURRENT, join(opt, 'yangchen'));
  return () => rm(opt, { recursive: true, force: true });
});

/** Environment without Node, npm or git. */
async function createBareEnvironment(): Promise<{ PATH: string }> {
  const bin = await folder();
  const names = [
    'sh',
    'env',
    'readlink',
    'dirname',
    'tar',
    'gzip',
    'sync',
    'cp',
    'unshare',
    'setpriv',
    'mount',
  ];
  for (const name of names)
    await symlink(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    );
  return { PATH: bin };
}

type Installation = {
  start(dataDir: string): Promise<RunningProgram>;
  run(
    dataDir: string,
    command: string,
    parameter: string,
    environment?: NodeJS.ProcessEnv,
  ): Promise<{ stdout: string; stderr: string }>;
};

async function startTestProgram(options: Parameters<typeof startProgram>[0]) {
  const program = await startProgram(options);
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end('SIGKILL');
  });
  return program;
}

const clone: Installation = {
  start: (dataDir) => startTestProgram({ dataDir, by: 'npm' }),
  run: (dataDir, command, parameter) =>
    promisify(execFile)('npm', ['run', command, '--', parameter], {
      cwd: PROJECT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
    }),
};

const release: Installation = {
  start: async (dataDir) =>
    startTestProgram({
      dataDir,
      command: [join(opt, 'yangchen/yangchen'), 'start'],
      environment: { ...(await createBareEnvironment()), LOG_LEVEL: 'info' },
    }),
  run: async (dataDir, command, parameter, environment = {}) =>
    promisify(execFile)(join(opt, 'yangchen/yangchen'), [command, parameter], {
      env: { ...(await createBareEnvironment()), DATA_DIR: dataDir, ...environment },
    }),
};

const submitRecording = async (url: string, teacher: TestClient) => {
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const made = await teacher.post('/api/admin/create-user-with-credentials', {
    ...{ email: 'tashi@example.org', firstName: 'Tashi', lastName: 'Dolma', transmissionLevels: [level!.id] },
  });
  const student = new TestClient(url);
  await student.post('/api/login', { username: 'tashi', password: made.body.password });
  const audio = { bytes: createTone(1), name: 'kyab.wav' };
  const sent = await student.form('/api/recordings', { title: 'Kyab', audio });
  expect(sent.status).toBe(201);
  return sent.body.audioUrl as string;
};

async function signIn(url: string, password: string | undefined) {
  const teacher = new TestClient(url);
  expect((await teacher.post('/api/login', { username: 'khandro', password })).status).toBe(200);
  return teacher;
}

const printedPassword = (program: RunningProgram) => /password {2}(\S+)/.exec(program.getOutput())?.[1];

async function expectRecording(teacher: TestClient, name: string) {
  const file = await teacher.get(`/api/files/${name}?type=audio`);
  expect(file.bytes.equals(createTone(1))).toBe(true);
}

test.each(Object.entries({ clone, release }))(
  'a %s starts, stores a recording, and restores its backup',
  async (_, { start, run }) => {
    const dataDir = await folder();
    const program = await start(dataDir);
    const password = printedPassword(program);
    const teacher = await signIn(program.url, password);
    expect((await teacher.get('/')).body).toContain('<div id="root">');
    const name = await submitRecording(program.url, teacher);
    const backup = join(await folder(), 'backup.tar');
    await run(dataDir, 'backup', backup);
    expect((await program.end()).code).toBe(0);

    const restored = await folder();
    await run(restored, 'restore', backup);
    const again = await start(restored);
    await expectRecording(await signIn(again.url, password), name);
    expect((await again.end()).code).toBe(0);
  },
);

/** Makes a newer release, which differs in its version and in `file`. */
async function makeNewerArchive(file: string, content: string): Promise<string> {
  const parent = await folder();
  const program = join(parent, `yangchen-${NEXT}`);
  await mkdir(program);
  execFileSync('cp', ['-a', `${join(opt, CURRENT)}/.`, program]);
  const description = JSON.parse(await readFile(join(program, 'package.json'), 'utf8')) as object;
  await writeFile(join(program, 'package.json'), JSON.stringify({ ...description, version: NEXT }));
  await writeFile(join(program, file), content);
  execFileSync('sh', ['-c', `tar -c yangchen-${NEXT} | gzip -1 > new.tar.gz`], { cwd: parent });
  execFileSync('sh', ['-c', 'sha256sum new.tar.gz > new.tar.gz.sha256'], { cwd: parent });
  return join(parent, 'new.tar.gz');
}

test('a release updates itself, unless the new version does not start', async () => {
  const dataDir = await folder();
  const program = await release.start(dataDir);
  const password = printedPassword(program);
  const name = await submitRecording(program.url, await signIn(program.url, password));
  await program.end();

  const broken = await makeNewerArchive('dist/web/.server/main.render.js', 'throw new Error("no pages")');
  await expect(release.run(dataDir, 'update', broken)).rejects.toThrow('Nothing was changed.');
  expect(await readlink(join(opt, 'yangchen'))).toBe(CURRENT);

  const { stdout } = await release.run(dataDir, 'update', await makeNewerArchive('README.md', 'newer'));
  expect(stdout).toMatch(`Yangchen ${NEXT} is installed`);
  const updated = await release.start(dataDir);
  expect(updated.getOutput()).toContain(`"version":"${NEXT}"`);
  await expectRecording(await signIn(updated.url, password), name);
});

test('a rehearsal with DATABASE_URL does not connect to that database', async () => {
  const environment = { DATABASE_URL: 'postgres://127.0.0.1:9/songs' };
  const { stdout } = await release.run(await folder(), 'admin', 'rehearse-update', environment);
  expect(stdout).toBe('The new version started with an empty database.\n');
});
