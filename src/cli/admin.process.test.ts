import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { TestClient } from '#testing/client.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { findProcessIdsByFolder, startProgram } from '#testing/program.ts';

const { cleanUp, folder } = createTestCleanup();

const TEACHER = { username: 'khandro', password: 'teacher-pass' };
const ROOT = join(import.meta.dirname, '../..');

async function startTestProgram(dataDir: string, environment: NodeJS.ProcessEnv = {}) {
  const program = await startProgram({
    dataDir,
    environment: { ADMIN_PASSWORD: TEACHER.password, ...environment },
  });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end();
  });
  return program;
}

const BUILT = [process.execPath, 'dist/web/.server/main.admin.js'];
/** The command that an operator types in a terminal. */
const BY_NPM = ['npm', '--silent', 'run', 'admin', '--'];

async function admin(
  dataDir: string,
  args: string[],
  [command = '', ...before] = BUILT,
  environment: NodeJS.ProcessEnv = {},
) {
  const child = spawn(command, [...before, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const [, username] = /username {2}(\S+)/.exec(output) ?? [];
  const [, password] = /password {2}(\S+)/.exec(output) ?? [];
  return { code, output, errors, username, password };
}

async function signInClient(
  url: string,
  who: { username?: string | undefined; password?: string | undefined },
) {
  const client = new TestClient(url);
  const reply = await client.post('/api/login', { username: who.username, password: who.password });
  return { client, status: reply.status };
}

/** Queries the database of a running program. */
async function inDatabase(dataDir: string, statement: string) {
  const client = new pg.Client((await findRunningConnectionSettings(dataDir))!);
  await client.connect();
  try {
    return (await client.query<{ email: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('creates a teacher and resets a password while the program runs', async () => {
  const dataDir = await folder();
  const { url } = await startTestProgram(dataDir);

  const made = await admin(dataDir, ['create', 'Pema.Lhamo@Example.org'], BY_NPM);
  expect(made).toMatchObject({ code: 0, errors: '', username: 'pema.lhamo' });
  const pema = await signInClient(url, made);
  expect((await pema.client.get('/api/user')).body).toMatchObject({
    email: 'pema.lhamo@example.org',
    role: 'admin',
    suggestOwnPassword: true,
  });

  const pemaId = (await pema.client.get('/api/user')).body.id as string;
  await inDatabase(
    dataDir,
    `insert into passkeys (user_id, credential_id, public_key, counter, name) values ('${pemaId}', 'x', 'y', 0, 'Phone')`,
  );
  const again = await admin(dataDir, ['reset', 'pema.lhamo@example.org', '--remove-passkeys'], BY_NPM);
  expect(again).toMatchObject({ code: 0, errors: '', username: 'pema.lhamo' });
  expect(again.output).toContain('Passkeys removed: 1.');
  expect((await pema.client.get('/api/user')).status).toBe(401);
  expect((await signInClient(url, made)).status).toBe(401);
  expect((await signInClient(url, again)).status).toBe(200);
});

test('resets a password while the program is not running, and leaves no process behind', async () => {
  const dataDir = await folder();
  const first = await startTestProgram(dataDir);
  const before = await signInClient(first.url, TEACHER);
  await first.end();

  expect(await admin(dataDir, ['remove-passkeys', 'teacher@example.org'])).toMatchObject({
    ...{ code: 0, errors: '' },
    output: 'Passkeys removed: 0. This account no longer needs one to sign in.\n',
  });
  expect((await admin(dataDir, ['remove-passkeys', 'nobody@example.org'])).code).toBe(1);
  const reset = await admin(dataDir, ['reset', 'teacher@example.org']);
  expect(reset).toMatchObject({ code: 0, errors: '', username: 'khandro' });
  expect((await admin(dataDir, ['create', 'khandro@example.org'])).username).toBe('khandro2');
  expect(await findProcessIdsByFolder(dataDir)).toEqual([]);

  const later = await startTestProgram(dataDir);
  const old = new TestClient(later.url);
  old.cookies.set('session', before.client.cookies.get('session')!);
  expect((await old.get('/api/user')).status).toBe(401);
  expect((await signInClient(later.url, TEACHER)).status).toBe(401);
  expect((await signInClient(later.url, reset)).status).toBe(200);
});

test('two concurrent admin commands both succeed while the program is not running', async () => {
  const dataDir = await folder();
  await (await startTestProgram(dataDir)).end();
  const both = await Promise.all(
    ['tashi@one.example', 'tashi@two.example'].map((email) => admin(dataDir, ['create', email])),
  );
  expect(both.map(({ code, errors }) => [code, errors])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(both.map(({ username }) => username).sort()).toEqual(['tashi', 'tashi2']);
});

test('creates a teacher in an external database', async () => {
  const quiet = () => undefined;
  const server = await startEmbeddedPostgres({
    dataDir: await folder(),
    log: { info: quiet, warn: quiet, error: quiet },
  });
  cleanUp.push(() => server.stop());
  const { host, port, user, database } = server.connection;
  const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const dataDir = await folder();
  const { url } = await startTestProgram(dataDir, { DATABASE_URL });
  const made = await admin(dataDir, ['create', 'pema@example.org'], BUILT, { DATABASE_URL });
  expect((await signInClient(url, made)).status).toBe(200);
});

test('reports an unsuitable email or account in one line, and changes nothing', async () => {
  const dataDir = await folder();
  const { url } = await startTestProgram(dataDir);
  const { client } = await signInClient(url, TEACHER);
  await client.post('/api/init');
  const [level] = (await client.get('/api/admin/transmission-levels')).body as { id: number }[];
  await client.post('/api/admin/create-user-with-credentials', {
    email: 'tashi@example.org',
    firstName: 'Tashi',
    lastName: 'Dolma',
    transmissionLevels: [level!.id],
  });

  const cases: [args: string[], sentence: string][] = [
    [['create', 'TEACHER@example.org'], 'An account with this email already exists: teacher@example.org\n'],
    [['reset', 'nobody@example.org'], 'There is no account with this email: nobody@example.org\n'],
    [
      ['reset', 'tashi@example.org'],
      "This is a student's account: tashi@example.org. This command is for teachers only.\n",
    ],
    [['reset', 'khandro'], 'This isn’t an email address: khandro\n'],
  ];
  for (const [args, sentence] of cases)
    expect(await admin(dataDir, args)).toMatchObject({ code: 1, output: '', errors: sentence });
  expect((await client.get('/api/user')).status).toBe(200);
});

test('a command for a copied data folder does not affect the running original', async () => {
  const dataDir = await folder();
  await startTestProgram(dataDir);
  const ask = (statement: string) => inDatabase(dataDir, statement);
  await ask('CHECKPOINT');
  const copy = join(await folder(), 'copy');
  execFileSync('cp', ['-a', dataDir, copy]);

  const made = await admin(copy, ['create', 'pema@example.org']);
  expect(made).toMatchObject({ code: 0, errors: '', username: 'pema' });
  expect(await ask('select email from users')).toEqual([{ email: 'teacher@example.org' }]);
});

test.skipIf(process.getuid?.() !== 0)('refuses to run as root in somebody else’s data folder', async () => {
  const dataDir = await folder();
  await (await startTestProgram(dataDir)).end();
  const everything = () => execFileSync('find', [dataDir, '-printf', '%p %u %T@\n'], { encoding: 'utf8' });
  execFileSync('chown', ['-R', 'nobody', dataDir]);
  const before = everything();
  const refused = await admin(dataDir, ['create', 'pema@example.org']);
  expect([refused.code, refused.output]).toEqual([1, '']);
  expect(refused.errors).toContain('This data folder belongs to nobody (uid 65534)');
  expect(everything()).toBe(before);
});

test('explains what is missing: a command, an email or a database', async () => {
  const dataDir = await folder();
  for (const args of [
    [],
    ['create'],
    ['delete', 'a@example.org'],
    ['reset', 'a@example.org', 'now'],
    ['toString', 'x'],
  ]) {
    const reply = await admin(dataDir, args);
    expect([reply.code, reply.output]).toEqual([2, '']);
    expect(reply.errors).toContain('npm run admin -- create EMAIL');
  }
  const nowhere = join(dataDir, 'elsewhere');
  expect(await admin(nowhere, ['create', 'pema@example.org'])).toMatchObject({
    code: 1,
    errors: `There is no database in ${nowhere}. Start Yangchen there once, or set DATA_DIR or DATABASE_URL.\n`,
  });
  const unreachable = await admin(dataDir, ['create', 'pema@example.org'], BUILT, {
    DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:9/none',
  });
  expect([unreachable.code, unreachable.output]).toEqual([1, '']);
  expect(unreachable.errors).toBe(
    "The database server at 127.0.0.1:9 can't be reached. Check host and port in DATABASE_URL, and that the server runs and listens there.\n" +
      'What went wrong: connect ECONNREFUSED 127.0.0.1:9\n',
  );
});
