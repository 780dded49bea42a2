import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { mails } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { countLockWaiters, waitFor } from '#testing/wait-for.ts';
import { startMailServer, type SmtpRejection } from '#testing/mail-server.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** Callback that runs while an email is being handed over to the mail server. */
let meanwhile: (() => Promise<unknown>) | null = null;
let refusal: SmtpRejection | null = null;
const server = await startMailServer({
  beforeAccept: async () => void (await meanwhile?.()),
  refuseRecipient: () => refusal,
});
afterAll(server.stop);
const { arrived } = server;

const app = await startTestApp({ environment: { SMTP_URL: server.url } });
const worker = app.services.mailer;

beforeEach(() => app.clock.set(new Date('2026-11-21T10:00:00Z')));
afterEach(async () => {
  meanwhile = refusal = null;
  arrived.length = 0;
  app.clock.reset();
  await app.db.delete(mails);
});

/** Advances time by `after` ms, runs the worker, and returns how many emails the user has received. */
async function countMailsTo({ email }: { email: string }, after = 0) {
  app.clock.advance(after);
  await worker.runOnce();
  return arrived.filter(({ to }) => to.includes(email)).length;
}

async function aStudent() {
  const student = await app.make.student();
  const client = await app.as(student);
  const see = async ({ id }: { id: number }) => {
    expect((await client.patch(`/api/feedback/${id}/status`, { status: 'read' })).status).toBe(200);
  };
  return { student, see };
}

async function aTeacher() {
  const teacher = await app.make.teacher();
  const client = await app.as(teacher);
  const answerAll = async () => {
    for (const { id } of (await client.get('/api/recordings/pending')).body as { id: number }[])
      await client.form('/api/feedback', { recordingId: id, writtenFeedback: 'Good.' });
  };
  return { teacher, answerAll };
}

test('all feedback given within an hour of an email is announced in one later email', async () => {
  const { student } = await aStudent();
  await app.make.feedback({ student });
  expect(await countMailsTo(student)).toBe(1);
  app.clock.advance(10 * MINUTE_MS);
  await app.make.feedback({ student });
  expect(await countMailsTo(student)).toBe(1);
  await app.make.feedback({ student });
  expect(await countMailsTo(student, 50 * MINUTE_MS - 1)).toBe(1);
  expect(await countMailsTo(student, 1)).toBe(2);
  expect(await countMailsTo(student, 3 * HOUR_MS)).toBe(2);
  await app.make.feedback({ student });
  expect(await countMailsTo(student)).toBe(3);
});

test('all recordings sent within an hour of an email are announced in one later email', async () => {
  const { teacher, answerAll } = await aTeacher();
  await app.make.recording();
  expect(await countMailsTo(teacher)).toBe(1);
  await app.make.recording();
  await app.make.recording();
  expect(await countMailsTo(teacher, HOUR_MS - 1)).toBe(1);
  expect(await countMailsTo(teacher, 1)).toBe(2);
  expect(await countMailsTo(teacher, 3 * HOUR_MS)).toBe(2);
  await answerAll();
});

test('does not send an email about seen feedback or answered recordings', async () => {
  const { student, see } = await aStudent();
  const { teacher, answerAll } = await aTeacher();
  await app.make.feedback({ student });
  await app.make.recording();
  expect([await countMailsTo(student), await countMailsTo(teacher)]).toEqual([1, 1]);
  await app.make.recording();
  await answerAll();
  for (const { id } of (await (await app.as(student)).get('/api/feedback')).body as { id: number }[])
    await see({ id });
  const other = await app.make.feedback({ student });
  expect([await countMailsTo(student), await countMailsTo(teacher)]).toEqual([1, 1]);
  await see(other);
  await answerAll();
  expect([await countMailsTo(student, 2 * HOUR_MS), await countMailsTo(teacher)]).toEqual([1, 1]);
});

test('an email counts as sent if its feedback is seen during delivery', async () => {
  const { student, see } = await aStudent();
  const first = await app.make.feedback({ student });
  meanwhile = () => see(first);
  expect(await countMailsTo(student)).toBe(1);
  meanwhile = null;
  app.clock.advance(10 * MINUTE_MS);
  await app.make.feedback({ student });
  expect(await countMailsTo(student)).toBe(1);
  expect(await countMailsTo(student, 50 * MINUTE_MS)).toBe(2);
});

test('a temporarily rejected email is not retried after its feedback is seen', async () => {
  const { student, see } = await aStudent();
  const first = await app.make.feedback({ student });
  refusal = { code: 451, message: 'Come back later' };
  expect(await countMailsTo(student)).toBe(0);
  refusal = null;
  await see(first);
  expect(await countMailsTo(student, 2 * HOUR_MS)).toBe(0);
});

test('resending a news email does not add a second email to the queue', async () => {
  const { student } = await aStudent();
  const { teacher } = await aTeacher();
  const teacherClient = await app.as(teacher);
  refusal = { code: 550, message: 'No such mailbox' };
  await app.make.feedback({ student });
  expect(await countMailsTo(student)).toBe(0);
  refusal = null;
  const undelivered = async () =>
    (
      (await teacherClient.get('/api/admin/mail/undeliverable')).body as { id: number; recipient: string }[]
    ).find(({ recipient }) => recipient === student.email)!;
  const again = async () => teacherClient.post(`/api/admin/mail/${(await undelivered()).id}/send-again`);
  // The rejected email reached nobody, so it is replaced immediately.
  expect((await again()).status).toBe(200);
  expect(await countMailsTo(student)).toBe(1);
  await app.db.execute(sql`update mails set status = 'undeliverable', last_error = 'x'`);
  await app.make.feedback({ student });
  expect((await again()).status).toBe(200);
  expect(await countMailsTo(student, HOUR_MS)).toBe(2);
  expect(await countMailsTo(student, HOUR_MS)).toBe(2);
});

/** Resolves when a transaction waits for a lock, or when `other` has settled without waiting. */
async function waitingFor(other: Promise<unknown>) {
  let isOver = false;
  void other.finally(() => (isOver = true));
  await waitFor(async () => {
    expect(isOver || (await countLockWaiters(app.db)) > 0).toBe(true);
  });
}

test('sends an email about feedback given while earlier feedback is marked as seen', async () => {
  const { student } = await aStudent();
  await app.make.feedback({ student });
  let given!: Promise<unknown>;
  await app.db.transaction(async (tx) => {
    await app.services.news.announceFeedbackSeen(tx, student.id, () => Promise.resolve(0));
    given = app.make.feedback({ student });
    await waitingFor(given);
  });
  await given;
  expect(await countMailsTo(student)).toBe(1);
});

test('sends teachers an email if a recording arrives while all others are answered', async () => {
  const { teacher, answerAll } = await aTeacher();
  await answerAll();
  const { id } = await app.make.recording();
  let sent!: Promise<unknown>;
  await app.db.transaction(async (tx) => {
    await app.services.recordings.markReviewed(tx, id);
    await app.services.news.announceFeedbackGiven(tx, (await app.make.student()).id);
    sent = app.make.recording();
    await waitingFor(sent);
  });
  await sent;
  expect(await countMailsTo(teacher)).toBe(1);
});

test('an email about a recording is cancelled if its student is deleted', async () => {
  const { teacher, answerAll } = await aTeacher();
  const teacherClient = await app.as(teacher);
  await answerAll();
  const { student } = await aStudent();
  await app.make.recording({ student });
  expect((await teacherClient.delete(`/api/admin/users/${student.id}`)).status).toBe(200);
  expect(await countMailsTo(teacher, 2 * HOUR_MS)).toBe(0);
});

test('a reply waits for a concurrent deletion of the student without a deadlock', async () => {
  const { teacher } = await aTeacher();
  const teacherClient = await app.as(teacher);
  const { student } = await aStudent();
  const { id } = await app.make.recording({ student });
  let answered!: ReturnType<typeof teacherClient.form>;
  // Locks rows in the same order as deleting the student does, but deletes nothing.
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from users where id = ${student.id} for update`);
    answered = teacherClient.form('/api/feedback', { recordingId: id, writtenFeedback: 'Good.' });
    await waitingFor(answered);
    await tx.execute(sql`select 1 from recordings where student_id = ${student.id} for update`);
  });
  expect((await answered).status).toBe(201);
});
