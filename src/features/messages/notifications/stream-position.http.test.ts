import { expect, test } from 'vitest';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import { createPageContentLoader } from '#app/server/page-content.ts';
import { mountPage } from '#server/http/page.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { waitFor } from '#testing/wait-for.ts';

/** Callbacks that run while the server identifies a page's user and lists the melodies. */
const during = { identify: async () => {}, list: async () => {} };

const app = await startTestApp({
  services: (made) => ({
    ...made,
    melodies: {
      ...made.melodies,
      listShared(...of) {
        const { version, make } = made.melodies.listShared(...of);
        const listed = async () => {
          const melodies = await make();
          await during.list();
          return melodies;
        };
        return { version, make: listed };
      },
    },
  }),
  prepare: ({ app: server, identify, inProcess }, { settings, log }) => {
    const identified: typeof identify = async (...of) => {
      const caller = await identify(...of);
      await during.identify();
      return caller;
    };
    const contentFor = createPageContentLoader(settings, () => [], inProcess);
    mountPage(server, () => Promise.resolve('<!--page-data-->'), identified, contentFor, {
      ...{ develop: false, render: null, log },
      position: () => app.changes.position(),
    });
  },
});
/** A second server on the same database. */
const elsewhere = await startTestApp({ beside: app });

const student = await app.make.student();
const other = await app.make.student();
const teacher = await app.make.teacher();

const STREAM = '/api/events';

/** Returns the first message of a stream, which contains the changes since a position. */
async function readMissedChanges(browser: TestClient, since: string | null) {
  const stream = await browser.stream(since === null ? STREAM : `${STREAM}?since=${since}`);
  await waitFor(() => expect(stream.messages).not.toEqual([]));
  await stream.close();
  return stream.messages[0]!;
}

/** Returns the feed's position after all earlier announcements have been sent. */
async function positionNow() {
  const somebody = await app.make.student();
  const stream = await (await app.as(somebody)).stream(STREAM);
  await announceChange(app.db, { to: somebody.id, refreshes: ['/api/recordings'] });
  await waitFor(() => expect(stream.events).not.toEqual([]));
  await stream.close();
  return stream.messages.at(-1)!.id!;
}

test('a page receives the changes since its position that concern its user', async () => {
  const position = await positionNow();
  await announceChange(app.db, { to: student.id, refreshes: ['/api/feedback'] });
  await announceChange(app.db, { to: other.id, refreshes: ['/api/melodies'] });
  await announceChange(app.db, { to: ALL_ADMINS, refreshes: ['/api/admin/users'] });
  await announceChange(app.db, {
    to: [student.id, ALL_ADMINS],
    refreshes: ['/api/feedback', '/api/recordings'],
  });
  const last = await positionNow();
  for (const server of [app, elsewhere]) {
    // Retries, because the other server may receive the changes a moment later.
    const missed = async (user: { id: string }) => {
      const client = await server.as(user);
      await waitFor(async () => expect((await readMissedChanges(client, last)).refreshes).toEqual([]));
      return readMissedChanges(client, position);
    };
    expect(await missed(student)).toEqual({ id: last, refreshes: ['/api/feedback', '/api/recordings'] });
    expect((await missed(teacher)).refreshes).toEqual([
      '/api/admin/users',
      '/api/feedback',
      '/api/recordings',
    ]);
  }
});

test('a reconnecting browser receives only changes after its last event', async () => {
  const before = await positionNow();
  await announceChange(app.db, { to: student.id, refreshes: ['/api/melodies'] });
  const heard = await positionNow();
  await announceChange(app.db, { to: student.id, refreshes: ['/api/feedback'] });
  await positionNow();
  const browser = await app.as(student);
  const stream = await browser.stream(`${STREAM}?since=${before}`, { 'last-event-id': heard });
  await waitFor(() => expect(stream.messages[0]?.refreshes).toEqual(['/api/feedback']));
  await stream.close();
});

test('with an unknown or expired position, the stream makes a page refetch everything', async () => {
  const browser = await app.as(student);
  expect((await readMissedChanges(browser, null)).refreshes).toBeNull();
  expect((await readMissedChanges(browser, crypto.randomUUID())).refreshes).toBeNull();
  const position = await positionNow();
  expect((await readMissedChanges(browser, position)).refreshes).toEqual([]);
  await app.db.transaction(async (tx) => {
    for (let i = 0; i < 1_000; i += 1) await announceChange(tx, { to: other.id, refreshes: [] });
  });
  await positionNow();
  expect((await readMissedChanges(browser, position)).refreshes).toBeNull();
});

/** Returns the feed position contained in the HTML of a page. */
async function positionIn(browser: TestClient) {
  const { body } = await browser.get('/melodies');
  const json = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(body as string)![1]!;
  return (JSON.parse(json) as { position: string | null }).position;
}

test.each(['list', 'identify'] as const)(
  'a page receives changes committed while its HTML is built (step: %s)',
  async (step) => {
    const browser = await app.as(student);
    during[step] = async () => {
      during[step] = async () => {};
      // Announces a change during this step, and waits until the server has received it before the page is
      // sent.
      await announceChange(app.db, { to: student.id, refreshes: ['/api/melodies'] });
      await positionNow();
    };
    const position = await positionIn(browser);
    expect((await readMissedChanges(browser, position)).refreshes).toEqual(['/api/melodies']);
  },
);

test('the HTML for a visitor does not contain a feed position', async () => {
  expect(await positionIn(app.visitor())).toBeNull();
});

test('browsers that missed changes refetch after a random delay', async () => {
  const position = await positionNow();
  const stream = await (await app.as(student)).stream(STREAM);
  await waitFor(() => expect(stream.messages).not.toEqual([]));
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const { rows } = await app.database.pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) ${others}`,
  );
  await stream.ended;
  const ended = rows.map(({ pid }) => pid);
  await waitFor(async () => {
    const left = await app.database.pool.query(`select pid ${others} and pid = any($1)`, [ended]);
    expect(left.rows).toEqual([]);
  });
  const { refreshes, withinMs } = await readMissedChanges(await app.as(student), position);
  expect({ refreshes, withinMs }).toEqual({ refreshes: null, withinMs: 30_000 });
  // After the feed has reconnected to the database, it has a position again.
  await waitFor(async () => expect(app.changes.position()).not.toBeNull());
  const now = app.changes.position();
  expect((await readMissedChanges(await app.as(student), now)).refreshes).toEqual([]);
});
