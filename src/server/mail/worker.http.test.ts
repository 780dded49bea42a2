import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { simpleParser } from 'mailparser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mails, users } from '../db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { DUE_IMMEDIATELY } from '../jobs/job-queue.ts';
import { findFreePort } from '#testing/free-port.ts';
import { startMailServer, type MailServerOptions } from '#testing/mail-server.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import { parseMailServer } from './mail-settings.ts';
import { MailDeliveryError, type MailTransport } from './mail-transport.ts';
import { renderEmailBody } from './email-body.ts';
import { openOutbox, createOutboxTransport } from './outbox.ts';
import { MAIL_CHANNEL, createMailJobQueue, queueMail } from './queue.ts';
import { createSmtpTransport } from './smtp.ts';
import { createMailWorker } from './worker.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const FROM = { name: 'Songs, of the heart', address: 'songs@example.org' };

const app = await startTestApp();
const folder = createTemporaryFolderPerTest();
const isThere = () => Promise.resolve();
const cleanUp: (() => Promise<unknown>)[] = [];

let now: Date;
let logged: unknown[];
beforeEach(() => {
  now = new Date();
  logged = [];
});
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step();
  await app.db.delete(mails);
});

const passes = (ms: number) => (now = new Date(now.getTime() + ms));

function workerWith(delivery: MailTransport) {
  const write = (...said: unknown[]) => void logged.push(said);
  return createMailWorker({
    db: app.db,
    connection: app.database.connection,
    delivery,
    clock: () => now,
    log: { warn: write },
  });
}

async function serverWith(plan: MailServerOptions = {}) {
  const server = await startMailServer(plan);
  cleanUp.push(server.stop);
  return { ...server, worker: workerWith(createSmtpTransport(parseMailServer(server.url), FROM)) };
}

async function rowOf({ id }: { id: number }) {
  const [row] = await app.db.select().from(mails).where(eq(mails.id, id));
  return row;
}

const failing = (make: () => MailDeliveryError) =>
  workerWith({ deliver: () => Promise.reject(make()), retract: () => Promise.resolve() });

test('delivers an email as text and HTML, and then erases its stored content', async () => {
  const { worker, arrived } = await serverWith();
  const letter = renderEmailBody(
    {
      greeting: 'བཀྲ་ཤིས་བདེ་ལེགས། Pema',
      parts: [
        { values: [['Password', 'lotus-in-the-lake']] },
        { paragraph: `A line as long as this: ${'x'.repeat(300)}` },
      ],
      closing: '.\n.hidden by a dot',
    },
    'Yangchen',
  );
  const queued = await app.make.mail(undefined, { subject: 'Willkommen, schöne Lieder', ...letter });
  await worker.runOnce();

  expect(arrived).toHaveLength(1);
  const [{ to, from, mail }] = arrived as [(typeof arrived)[number]];
  expect(to).toEqual([queued.recipient]);
  expect(from).toBe('songs@example.org');
  expect(mail.from?.value).toEqual([{ name: 'Songs, of the heart', address: 'songs@example.org' }]);
  expect(mail.subject).toBe('Willkommen, schöne Lieder');
  expect(mail.text?.trim()).toBe(letter.text.trim());
  expect((mail.html || '').trim()).toBe(letter.html.trim());
  expect(mail.date?.getTime()).toBe(Math.trunc(queued.createdAt.getTime() / SECOND_MS) * SECOND_MS);
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  expect(await rowOf(queued)).toMatchObject({
    status: 'delivered',
    text: null,
    html: null,
    settledAt: now,
    lastError: null,
    outboxFile: null,
    attempts: 1,
  });
});

test('gives up on a permanently rejected address immediately and stores the reason', async () => {
  const { worker, arrived } = await serverWith({
    refuseRecipient: () => ({ code: 550, message: '5.1.1 No such mailbox' }),
  });
  const queued = await app.make.mail();
  await worker.runOnce();
  expect(arrived).toEqual([]);
  expect(await rowOf(queued)).toMatchObject({
    status: 'undeliverable',
    text: null,
    html: null,
    lastError: 'The address was refused: 550 5.1.1 No such mailbox',
  });
});

test('retries an email to a temporarily rejected address', async () => {
  let isGrey = true;
  const { worker, arrived } = await serverWith({
    refuseRecipient: () => (isGrey ? { code: 451, message: 'Come back later' } : null),
  });
  const queued = await app.make.mail();
  await worker.runOnce();
  expect(await rowOf(queued)).toMatchObject({
    status: 'queued',
    lastError: 'The mail server isn’t accepting email for this address yet: 451 Come back later',
  });
  isGrey = false;
  await worker.runOnce();
  expect(arrived).toEqual([]);
  passes(30 * SECOND_MS);
  await worker.runOnce();
  expect(arrived).toHaveLength(1);
  expect(await rowOf(queued)).toMatchObject({ status: 'delivered', lastError: null, attempts: 2 });
});

test('an email that is retried after a lost connection keeps its Message-ID', async () => {
  let drops = 1;
  const { worker, arrived } = await serverWith({ dropsAtEnd: () => drops-- > 0 });
  const queued = await app.make.mail();
  await worker.runOnce();
  expect(arrived).toEqual([]);
  expect(await rowOf(queued)).toMatchObject({
    status: 'queued',
    lastError: 'The connection to the mail server was lost.',
  });
  passes(MINUTE_MS);
  await worker.runOnce();
  await worker.runOnce();
  expect(arrived).toHaveLength(1);
  expect(arrived[0]!.mail.messageId).toBe(`<${queued.id}.${queued.createdAt.getTime()}@example.org>`);
});

test('emails queued while the mail server is down are delivered when it is up again', async () => {
  const port = await findFreePort();
  const { stop, worker } = await serverWith({ port });
  await stop();
  const queued = [await app.make.mail(), await app.make.mail()];
  await worker.runOnce();
  for (const mail of queued) {
    expect(await rowOf(mail)).toMatchObject({
      status: 'queued',
      lastError: 'The mail server couldn’t be reached.',
    });
  }
  const { arrived } = await serverWith({ port });
  passes(MINUTE_MS);
  await worker.runOnce();
  expect(arrived.map(({ to: [address] }) => address).sort()).toEqual(
    queued.map((mail) => mail.recipient).sort(),
  );
});

test('uses TLS if the mail server offers it', async () => {
  const { worker, arrived } = await serverWith({ tls: true });
  await app.make.mail();
  await worker.runOnce();
  expect(arrived.map(({ secure }) => secure)).toEqual([true]);
});

test('retries an email after a rejected login, and never logs the password', async () => {
  const login = { user: 'songs', password: 'the-secret-word' };
  const { url, arrived, worker } = await serverWith({ login, tls: true });
  const wrong = workerWith(
    createSmtpTransport(parseMailServer(url.replace('the-secret-word', 'not-the-word')), FROM),
  );
  const queued = await app.make.mail();
  await wrong.runOnce();
  const row = await rowOf(queued);
  expect(row).toMatchObject({
    status: 'queued',
    lastError: 'The mail server didn’t accept our username and password.',
  });
  expect(JSON.stringify([row, logged])).not.toContain('not-the-word');
  passes(MINUTE_MS);
  await worker.runOnce();
  expect(arrived).toMatchObject([{ user: 'songs', secure: true }]);
});

test.each<[string, MailServerOptions, 'queued' | 'undeliverable', string]>([
  [
    'the sender',
    { refuseSender: () => ({ code: 530, message: 'Log in first' }) },
    'queued',
    'The mail server doesn’t let us send email: 530 Log in first',
  ],
  [
    'the email permanently',
    { refuseMail: () => ({ code: 554, message: 'Looks like spam' }) },
    'undeliverable',
    'The mail server didn’t accept the email: 554 Looks like spam',
  ],
  [
    'the email temporarily',
    { refuseMail: () => ({ code: 452, message: 'Disk full' }) },
    'queued',
    'The mail server didn’t accept the email: 452 Disk full',
  ],
])('stores the status and reason if the mail server rejects %s', async (_what, plan, status, lastError) => {
  const { worker } = await serverWith(plan);
  const queued = await app.make.mail();
  await worker.runOnce();
  expect(await rowOf(queued)).toMatchObject({ status, lastError });
});

test.each([
  'pema@example.org\r\nRCPT TO:<thief@example.org>',
  'a,thief@example.org',
  'Pema <thief@example.org>',
])('rejects a recipient that is not a single address: %j', async (recipient) => {
  const { worker, arrived } = await serverWith();
  const hostile = await app.make.mail(undefined, { recipient });
  await worker.runOnce();
  expect(await rowOf(hostile)).toMatchObject({
    status: 'undeliverable',
    lastError: 'This isn’t a valid email address.',
  });
  expect(arrived).toEqual([]);
});

test('a line break in a subject does not add a header', async () => {
  const { worker, arrived } = await serverWith();
  const subject = 'Welcome\r\nBcc: thief@example.org\r\n\r\nA body';
  const queued = await app.make.mail(undefined, { subject });
  await worker.runOnce();
  expect(arrived).toMatchObject([{ to: [queued.recipient] }]);
  expect(arrived[0]!.mail.bcc).toBeUndefined();
  expect(arrived[0]!.mail.subject).toBe('Welcome Bcc: thief@example.org A body');
});

test('several workers deliver each of 200 emails exactly once', async () => {
  const user = await app.make.student();
  const delivered: number[] = [];
  const delivery: MailTransport = {
    deliver: async ({ id }) => {
      delivered.push(id);
      await new Promise((resolve) => setImmediate(resolve));
      return { outboxFile: null };
    },
    retract: () => Promise.resolve(),
  };
  const queued = Array.from({ length: 200 }, () => ({
    kind: 'credentials' as const,
    userId: user.id,
    recipient: user.email,
    subject: 'Welcome',
    text: 'Hello',
    html: '<p>Hello</p>',
    dueAt: DUE_IMMEDIATELY,
  }));
  const ids = (await app.db.insert(mails).values(queued).returning({ id: mails.id })).map(({ id }) => id);
  await Promise.all(
    [workerWith(delivery), workerWith(delivery), workerWith(delivery)].map((one) => one.runOnce()),
  );
  expect(delivered.sort((a, b) => a - b)).toEqual(ids);
});

test('sends an email leased by a dead worker only after the lease expires', async () => {
  const { worker, arrived } = await serverWith();
  const queued = await app.make.mail();
  await createMailJobQueue(app.db).leaseNext(now, new Date(now.getTime() + 3 * MINUTE_MS));
  await worker.runOnce();
  expect(arrived).toEqual([]);
  passes(3 * MINUTE_MS);
  await worker.runOnce();
  expect(arrived).toHaveLength(1);
  expect(await rowOf(queued)).toMatchObject({ status: 'delivered', attempts: 2 });
});

test('a worker whose lease has expired leaves the email to the next worker', async () => {
  const queued = await app.make.mail();
  const slow = workerWith({
    deliver: async () => {
      const later = new Date(now.getTime() + 10 * MINUTE_MS);
      expect(
        await createMailJobQueue(app.db).leaseNext(later, new Date(later.getTime() + 3 * MINUTE_MS)),
      ).not.toBeNull();
      throw new MailDeliveryError('Too late.', { isFinal: true, cause: null });
    },
    retract: () => Promise.resolve(),
  });
  await slow.runOnce();
  expect(await rowOf(queued)).toMatchObject({ status: 'queued', lastError: null, attempts: 2 });
});

test('an email keeps its file if an expired lease makes another worker write it again', async () => {
  const outbox = openOutbox(folder(), isThere);
  const transport = createOutboxTransport(outbox, FROM);
  const queued = await app.make.mail();
  const slow = workerWith({
    ...transport,
    deliver: async (mail, signal) => {
      const delivered = await transport.deliver(mail, signal);
      passes(10 * MINUTE_MS);
      await workerWith(transport).runOnce();
      return delivered;
    },
  });
  await slow.runOnce();
  const row = await rowOf(queued);
  expect(row).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(await readdir(outbox.folder)).toEqual([row!.outboxFile]);
});

test('retries an email with growing delays for a day, and then gives up', async () => {
  const queued = await app.make.mail();
  let tries = 0;
  const worker = failing(() => {
    tries += 1;
    return new MailDeliveryError('The mail server couldn’t be reached.', { cause: null });
  });
  const waits: number[] = [];
  for (let row = await rowOf(queued); row?.status === 'queued'; row = await rowOf(queued)) {
    await worker.runOnce();
    const dueAt = (await rowOf(queued))!.dueAt;
    waits.push(dueAt.getTime() - now.getTime());
    now = new Date(Math.max(dueAt.getTime(), now.getTime()));
  }
  expect(await rowOf(queued)).toMatchObject({
    status: 'undeliverable',
    text: null,
    html: null,
    lastError: 'The mail server couldn’t be reached.',
  });
  const { settledAt } = (await rowOf(queued))!;
  expect(settledAt!.getTime() - queued.createdAt.getTime()).toBe(24 * HOUR_MS);
  expect(tries).toBeGreaterThan(25);
  expect(waits[0]).toBeLessThanOrEqual(30 * SECOND_MS);
  expect(waits[7]).toBeGreaterThan(45 * MINUTE_MS);
});

test('attempts to send an email four times even if the program was stopped for days', async () => {
  const queued = await app.make.mail();
  passes(72 * HOUR_MS);
  const worker = failing(
    () => new MailDeliveryError('The mail server couldn’t be reached.', { cause: null }),
  );
  for (const attempts of [1, 2, 3]) {
    await worker.runOnce();
    expect(await rowOf(queued)).toMatchObject({ status: 'queued', attempts });
    passes(10 * MINUTE_MS);
  }
  await worker.runOnce();
  expect(await rowOf(queued)).toMatchObject({ status: 'undeliverable', attempts: 4 });
});

test('deleting a user deletes an email that is being written to the outbox', async () => {
  const user = await app.make.student();
  const queued = await app.make.mail(user);
  const outbox = openOutbox(join(folder(), 'outbox'), isThere);
  const into = createOutboxTransport(outbox, FROM);
  const worker = workerWith({
    ...into,
    deliver: async (mail, signal) => {
      const done = await into.deliver(mail, signal);
      await app.db.delete(users).where(eq(users.id, user.id));
      return done;
    },
  });
  await worker.runOnce();
  expect(await rowOf(queued)).toBeUndefined();
  expect(await readdir(outbox.folder)).toEqual([]);
});

test('writes an email to an outbox file that only the program’s system user can read', async () => {
  const outbox = openOutbox(join(folder(), 'outbox'), isThere);
  const letter = renderEmailBody(
    {
      greeting: 'བཀྲ་ཤིས་བདེ་ལེགས། Pema = Lotus  ',
      parts: [{ paragraph: `${'long '.repeat(60)}\n--\nContent-Type: text/plain` }],
      closing: 'Khandro-la',
    },
    'Yangchen',
  );
  const queued = await app.make.mail(undefined, letter);
  await workerWith(createOutboxTransport(outbox, FROM)).runOnce();

  const row = await rowOf(queued);
  expect(row).toMatchObject({ status: 'delivered', text: null, html: null });
  expect(row!.outboxFile).toMatch(new RegExp(`^\\d{8}T\\d{9}Z-${queued.id}\\.eml$`));
  expect(await readdir(outbox.folder)).toEqual([row!.outboxFile]);
  const path = join(outbox.folder, row!.outboxFile!);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(outbox.folder)).mode & 0o777).toBe(0o700);
  const parsed = await simpleParser(await readFile(path));
  expect(parsed.text?.trim()).toBe(letter.text.trim());
  expect((parsed.html || '').trim()).toBe(letter.html.trim());
  expect((await outbox.read(row!.outboxFile!))?.trim()).toBe(letter.text.trim());
});

test('writes outbox files atomically, and replaces them on a retry', async () => {
  const outbox = openOutbox(folder(), isThere);
  await outbox.write('20261121T083000123Z-1.eml', Buffer.from('first'));
  await outbox.write('20261121T083000123Z-1.eml', Buffer.from('second'));
  expect(await readdir(folder())).toEqual(['20261121T083000123Z-1.eml']);
  expect(await readFile(join(folder(), '20261121T083000123Z-1.eml'), 'utf8')).toBe('second');
  await expect(outbox.write('no/such/folder.eml', Buffer.from('x'))).rejects.toThrow();
  expect(await readdir(folder())).toEqual(['20261121T083000123Z-1.eml']);
});

test('the outbox never reads or removes files outside its folder', async () => {
  const outbox = openOutbox(join(folder(), 'outbox'), isThere);
  await openOutbox(folder(), isThere).write('20261121T083000123Z-1.eml', Buffer.from('x'));
  expect(await outbox.read('../20261121T083000123Z-1.eml')).toBeNull();
  await outbox.remove('../20261121T083000123Z-1.eml');
  expect(await readdir(folder())).toEqual(['20261121T083000123Z-1.eml']);
});

test('an email stays queued, with a readable error, if the outbox is unwritable', async () => {
  const outbox = openOutbox('/dev/null/outbox', isThere);
  const queued = await app.make.mail();
  await workerWith(createOutboxTransport(outbox, FROM)).runOnce();
  expect(await rowOf(queued)).toMatchObject({
    status: 'queued',
    lastError: 'The email couldn’t be saved in the outbox folder.',
  });
});

test('a worker is notified of new emails even after losing its database connection', async () => {
  const { arrived, worker } = await serverWith();
  worker.start();
  cleanUp.unshift(worker.stop);
  const listeners = sql`select pid from pg_stat_activity
    where datname = current_database() and query = 'listen "mail"'`;
  await expect.poll(async () => (await app.db.execute(listeners)).rows.length).toBe(1);
  const first = (await app.db.execute(listeners)).rows;
  await app.make.mail();
  await expect.poll(() => arrived.length).toBe(1);
  await app.db.execute(sql`select pg_terminate_backend(pid) from (${listeners}) as them`);
  await expect.poll(async () => (await app.db.execute(listeners)).rows).not.toEqual(first);
  await expect.poll(async () => (await app.db.execute(listeners)).rows.length).toBe(1);
  await app.make.mail();
  await expect.poll(() => arrived.length).toBe(2);
});

/**
 * Returns a started worker that is waiting for the mail server's reply to an email, and a function that sends
 * this reply.
 */
async function startedWithOneInFlight() {
  const { promise: isReceived, resolve: received } = Promise.withResolvers<void>();
  const { promise: mayBeAnswered, resolve: answer } = Promise.withResolvers<void>();
  const hold = () => {
    received();
    return mayBeAnswered;
  };
  const { arrived, worker } = await serverWith({ beforeAccept: hold });
  const inFlight = await app.make.mail();
  worker.start();
  await isReceived;
  return { arrived, worker, inFlight, answer };
}

test('a stopping worker finishes the email in flight and does not lease more emails', async () => {
  const { arrived, worker, inFlight, answer } = await startedWithOneInFlight();
  const stopped = worker.stop();
  const later = await app.make.mail();
  answer();
  await stopped;
  expect(arrived).toHaveLength(1);
  expect(await rowOf(inFlight)).toMatchObject({ status: 'delivered' });
  expect(await rowOf(later)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('a stopping worker releases a newly leased email without sending it', async () => {
  const { arrived, worker, answer } = await startedWithOneInFlight();
  const { id: userId, email } = await app.make.student();
  const letter = renderEmailBody({ greeting: 'Tashi delek', parts: [], closing: 'Khandro-la' }, 'Yangchen');
  const { stopped } = await app.db.transaction(async (tx) => {
    await tx.execute(sql`lock table mails in access exclusive mode`);
    await app.db.execute(sql`select pg_notify(${MAIL_CHANNEL}, '')`);
    await waitForLockWaiters(app.db, 1);
    await queueMail(tx, { kind: 'credentials', userId, recipient: email, subject: 'Late', ...letter });
    return { stopped: worker.stop() };
  });
  answer();
  await stopped;
  expect(arrived).toHaveLength(1);
  const later = await app.db.select().from(mails).where(eq(mails.userId, userId));
  expect(later).toMatchObject([{ status: 'queued', attempts: 0, dueAt: DUE_IMMEDIATELY }]);
});

test('releases an email at the shutdown deadline and does not count the attempt', async () => {
  const { worker, inFlight } = await startedWithOneInFlight();
  await worker.stop(0);
  expect(await rowOf(inFlight)).toMatchObject({
    status: 'queued',
    attempts: 0,
    dueAt: DUE_IMMEDIATELY,
    lastError: null,
  });
});

describe('a worker that runs alone', () => {
  /** Leases an email without finishing it, like a killed process. */
  const leased = () => createMailJobQueue(app.db).leaseNext(now, new Date(now.getTime() + 3 * MINUTE_MS));

  test('a lone worker takes over a killed worker’s email before its lease expires', async () => {
    const { worker, arrived } = await serverWith();
    const queued = await app.make.mail();
    await leased();
    await worker.runOnce();
    expect(arrived).toEqual([]);
    await worker.takeUpLeft();
    await worker.runOnce();
    expect(arrived.map(({ to }) => to)).toEqual([[queued.recipient]]);
    expect(await rowOf(queued)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('a lone worker takes over an email that failed before, and keeps its last error', async () => {
    const { worker } = await serverWith({
      refuseRecipient: () => ({ code: 451, message: 'Come back later' }),
    });
    const queued = await app.make.mail();
    await worker.runOnce();
    passes(HOUR_MS);
    await leased();
    await worker.takeUpLeft();
    expect(await rowOf(queued)).toMatchObject({
      status: 'queued',
      attempts: 2,
      dueAt: DUE_IMMEDIATELY,
      lastError: expect.stringContaining('Come back later') as string,
    });
  });

  test('a lone worker takes over a killed worker’s email even if the clock was set back', async () => {
    const { worker } = await serverWith();
    const queued = await app.make.mail();
    await leased();
    passes(-24 * HOUR_MS);
    await worker.takeUpLeft();
    expect(await rowOf(queued)).toMatchObject({ dueAt: DUE_IMMEDIATELY });
  });

  test('a lone worker does not touch emails that are deferred or wait for a retry', async () => {
    const { worker } = await serverWith();
    const soon = new Date(now.getTime() + MINUTE_MS);
    const inAnHour = new Date(now.getTime() + HOUR_MS);
    const deferred = await app.make.mail();
    await app.db.update(mails).set({ dueAt: soon }).where(eq(mails.id, deferred.id));
    const failed = await app.make.mail();
    await app.db
      .update(mails)
      .set({ dueAt: inAnHour, attempts: 7, lastError: 'Down.' })
      .where(eq(mails.id, failed.id));
    await worker.takeUpLeft();
    expect(await rowOf(deferred)).toMatchObject({ dueAt: soon, attempts: 0 });
    expect(await rowOf(failed)).toMatchObject({ dueAt: inAnHour, attempts: 7 });
  });
});

describe('deferred emails', () => {
  const later = (ms: number) => new Date(Date.now() + ms);

  /**
   * Queues an email for later. The time is stored in the queue, so it is respected even if the notification is
   * lost.
   */
  async function deferred(until: Date) {
    const user = await app.make.student();
    await app.db.transaction((tx) =>
      queueMail(
        tx,
        {
          kind: 'feedback-given',
          userId: user.id,
          recipient: user.email,
          subject: 'Later',
          text: 'x',
          html: 'x',
        },
        until,
      ),
    );
  }

  test('sends a deferred email only when it is due', async () => {
    const { worker, arrived } = await serverWith();
    await deferred(new Date(now.getTime() + HOUR_MS));
    passes(HOUR_MS - SECOND_MS);
    await worker.runOnce();
    expect(arrived).toEqual([]);
    passes(SECOND_MS);
    await worker.runOnce();
    expect(arrived).toHaveLength(1);
  });

  test('a deferred email does not delay other emails, even if the clock is far behind', async () => {
    const { worker, arrived } = await serverWith();
    await deferred(new Date(now.getTime() + HOUR_MS));
    passes(-24 * HOUR_MS);
    const { recipient } = await app.make.mail();
    await worker.runOnce();
    expect(arrived.map(({ to }) => to)).toEqual([[recipient]]);
  });

  // Shorter than the polling interval of 15 seconds, so that a test passes only if the worker is woken in time.
  const soon = { timeout: 12_000 };
  const running = async () => {
    const server = await startMailServer();
    cleanUp.push(server.stop);
    const worker = createMailWorker({
      db: app.db,
      connection: app.database.connection,
      delivery: createSmtpTransport(parseMailServer(server.url), FROM),
      clock: () => new Date(),
      log: { warn: () => undefined },
    });
    cleanUp.unshift(worker.stop);
    return { worker, arrived: server.arrived };
  };

  test('a sleeping worker wakes up and sends a deferred email when it is due', async () => {
    const { worker, arrived } = await running();
    worker.start();
    await app.make.mail();
    await expect.poll(() => arrived.length, soon).toBe(1);
    await deferred(later(1500));
    await expect.poll(() => arrived.length, soon).toBe(2);
  });

  test('a newly started worker sends a deferred email when it is due', async () => {
    const { worker, arrived } = await running();
    await deferred(later(1500));
    worker.start();
    await expect.poll(() => arrived.length, soon).toBe(1);
  });
});
