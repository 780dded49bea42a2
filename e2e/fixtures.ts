import { test as base, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import {
  connectToCommunity,
  startCommunity,
  TEACHER_CREDENTIALS,
  type Community,
} from '#testing/community.ts';
import { parseMailedCredentials } from '#testing/mails.ts';
import { SOCKET_PORT as POSTGRES_PORT } from '#server/postgres/socket-folder.ts';
import { DATABASE_USER as POSTGRES_USER } from '#server/postgres/initdb.ts';
import { startReplicatedProgram } from '#testing/replicated-program.ts';
import { getS3StoreEnvironment } from './s3-store.ts';

export { expect, TEACHER_CREDENTIALS };

export type Student = { id: string; username: string; email: string; password: string };

/** A program running in its own process, with a teacher. Tests create what they need through its API. */
export type World = Community & {
  dataDir: string;
  student(name?: { firstName: string; lastName: string }, levels?: string[]): Promise<Student>;
  level(name: string): Promise<{ id: number; name: string }>;
  /** Returns the username and password from the last email to an address. */
  credentialsFor(email: string): Promise<{ username: string; password: string }>;
  /** Queries the database directly, for what the API can't do, such as creating thousands of users at once. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
};

type Fixtures = {
  /** Extra environment variables of the program, the same for all tests in a file. */
  environment: NodeJS.ProcessEnv;
  /**
   * Whether this test file shares a program with other files. If so, each test must use only data that it
   * created. The same for all tests in a file.
   */
  sharesWorld: boolean;
  /** The running program, the same for all tests in a file. */
  world: World;
  /**
   * Opens a separate browser context in which this user is signed in. An error on the page's console fails the
   * test.
   */
  signedIn: (
    person: { username: string; password: string },
    options?: Parameters<Browser['newContext']>[0],
  ) => Promise<Page>;
  visitor: (options?: Parameters<Browser['newContext']>[0]) => Promise<Page>;
};

type Worlds = { worldOf: (name: string, environment: NodeJS.ProcessEnv) => Promise<World> };

const SHARED = 'shared';

export const test = base.extend<Fixtures, Worlds>({
  environment: [{}, { option: true }],
  sharesWorld: [false, { option: true }],

  worldOf: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner requires this form
    async ({}, use) => {
      const running = new Map<string, Awaited<ReturnType<typeof startWorld>>>();
      await use(async (name, environment) => {
        for (const [other, { end }] of running) {
          if (other === name || other === SHARED) continue;
          running.delete(other);
          await end();
        }
        const there = running.get(name) ?? (await startWorld(environment));
        running.set(name, there);
        return there.world;
      });
      for (const { end } of running.values()) await end();
    },
    { scope: 'worker' },
  ],

  // By default, each file has its own world, because files run in a varying order and must not see each other's
  // data.
  world: async ({ worldOf, environment, sharesWorld }, use, { file }) =>
    use(await worldOf(sharesWorld ? SHARED : file, environment)),

  visitor: async ({ browser, world }, use) => {
    const opened: BrowserContext[] = [];
    const crashed = new Set<Page>();
    const complaints: string[] = [];
    await use(async (options) => {
      const context = await browser.newContext({
        baseURL: world.url,
        permissions: ['microphone'],
        // Blocks service workers, because most tests intercept requests, and Playwright can't intercept those
        // sent by a service worker. The service worker has its own tests.
        serviceWorkers: 'block',
        ...options,
      });
      opened.push(context);
      context.on('page', (page) => page.on('crash', () => crashed.add(page)));
      const page = await context.newPage();
      recordPageErrors(page, complaints);
      return page;
    });
    for (const context of opened) {
      // Ignores errors from requests that are still open when the test ends.
      const pages = context.pages().filter((page) => !crashed.has(page));
      for (const page of pages) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
    expect(complaints, 'the page logs no errors').toEqual([]);
  },

  signedIn: async ({ visitor }, use) => {
    await use(async (person, options) => {
      const page = await visitor(options);
      const { username, password } = person;
      const reply = await page.request.post('/api/login', { data: { username, password } });
      expect(reply.status()).toBe(200);
      return page;
    });
  },
});

/**
 * Records the page's errors. Skips failed loads: the browser logs one for every error response, and the tests
 * check responses themselves. Any other error is a bug.
 */
function recordPageErrors(page: Page, complaints: string[]) {
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
}

async function startWorld(given: NodeJS.ProcessEnv) {
  const store = getS3StoreEnvironment(randomUUID());
  if (store) {
    const environment = { ADMIN_PASSWORD: TEACHER_CREDENTIALS.password, ...given, ...store };
    const { url, dataDir, database, end } = await startReplicatedProgram(environment);
    return { world: await createWorld(await connectToCommunity(url), dataDir, database.connection), end };
  }
  const community = await startCommunity(given);
  const { dataDir, end } = community;
  const connection = {
    ...{ host: join(dataDir, 'socket'), port: POSTGRES_PORT },
    ...{ user: POSTGRES_USER, database: 'yangchen', ssl: false },
  };
  return { world: await createWorld(community, dataDir, connection), end };
}

async function createWorld(
  community: Community,
  dataDir: string,
  connection: pg.ClientConfig,
): Promise<World> {
  const { teacher } = community;
  // Dismisses the notice that all of the teacher's pages show if BACKUP_DIR is not set.
  await teacher.delete('/api/admin/notices/no-backup');
  const levels = async () =>
    (await teacher.get('/api/admin/transmission-levels')).body as { id: number; name: string }[];
  const level = async (name: string) => (await levels()).find((each) => each.name === name)!;
  const sql: World['sql'] = async (text, values) => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    ...community,
    dataDir,
    level,
    sql,
    async credentialsFor(email) {
      const [mail] = (await sql(
        'select text, outbox_file as file from mails where recipient = $1 order by id desc limit 1',
        [email],
      )) as { text: string | null; file: string | null }[];
      // Once an email has been delivered, its text is only in the outbox, no longer in the database.
      const text = mail?.text ?? (await readFile(join(dataDir, 'outbox', mail?.file ?? ''), 'utf8'));
      return parseMailedCredentials({ text });
    },
    async student(
      { firstName, lastName } = { firstName: 'Tashi', lastName: 'Dolma' },
      names = ['Open to All'],
    ) {
      const email = `student.${randomUUID().slice(0, 6)}@example.org`;
      const transmissionLevels = await Promise.all(names.map(async (name) => (await level(name)).id));
      const { status, body } = await teacher.post('/api/admin/create-user-with-credentials', {
        email,
        firstName,
        lastName,
        transmissionLevels,
      });
      expect(status).toBe(201);
      return { ...(body.user as Omit<Student, 'password'>), password: body.password as string };
    },
  };
}
