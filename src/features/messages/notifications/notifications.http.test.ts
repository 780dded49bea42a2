import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mails } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { waitFor } from '#testing/wait-for.ts';

const app = await startTestApp({
  environment: { PUBLIC_URL: 'http://songs.example.org', SMTP_URL: 'smtp://127.0.0.1:2525' },
  // Interval in ms at which access to open responses is rechecked.
  limits: { recheckIntervalMs: 20 },
});
const plain = await startTestApp();
const HOUR_MS = 60 * 60 * 1000;

const mailsTo = (user: { id: string }) =>
  app.db.select().from(mails).where(eq(mails.userId, user.id)).orderBy(mails.id);

/** Marks emails as delivered, as the mail worker does. */
const deliver = (user: { id: string }, at: Date) =>
  app.db
    .update(mails)
    .set({ status: 'delivered', text: null, html: null, settledAt: at })
    .where(eq(mails.userId, user.id));

test('an email about feedback links to the feedback page without quoting the feedback', async () => {
  const student = await app.make.student({ firstName: 'Tashi' });
  await app.make.feedback({ student, written: 'Let it fall on kyab.' });
  const [mail] = await mailsTo(student);
  expect(mail).toMatchObject({ kind: 'feedback-given', recipient: student.email, status: 'queued' });
  expect(mail!.text).toContain('http://songs.example.org/feedback');
  expect(mail!.text! + mail!.html!).not.toContain('kyab');
});

test('feedback within an hour of an email queues another email, due after that hour', async () => {
  const student = await app.make.student();
  const start = new Date('2026-11-21T10:00:00Z');
  app.clock.set(start);
  await Promise.all([app.make.feedback({ student }), app.make.feedback({ student })]);
  expect(await mailsTo(student)).toHaveLength(1);
  await deliver(student, start);
  app.clock.advance(10 * 60 * 1000);
  await app.make.feedback({ student });
  await app.make.feedback({ student });
  const [, second, ...more] = await mailsTo(student);
  expect(second!.dueAt).toEqual(new Date(start.getTime() + HOUR_MS));
  expect(more).toEqual([]);
  app.clock.reset();
});

test('a queued email is cancelled when the student has seen all feedback', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const one = await app.make.feedback({ student });
  const other = await app.make.feedback({ student });
  await client.patch(`/api/feedback/${one.id}/status`, { status: 'read' });
  expect(await mailsTo(student)).toHaveLength(1);
  await client.patch(`/api/feedback/${other.id}/status`, { status: 'read' });
  expect(await mailsTo(student)).toEqual([]);
});

test('an email about pending recordings is cancelled when all are answered', async () => {
  const teacher = await app.make.teacher();
  const client = await app.as(teacher);
  // Answers the recordings of other tests, so that only those of this test are pending.
  for (const { id } of (await client.get('/api/recordings/pending')).body as { id: number }[])
    await client.form('/api/feedback', { recordingId: id, writtenFeedback: 'Good.' });
  const recording = await app.make.recording({ title: 'Secret title' });
  await app.make.recording();
  const [mail, ...more] = await mailsTo(teacher);
  expect([mail?.kind, more]).toEqual(['recordings-waiting', []]);
  expect(mail!.text).toContain('http://songs.example.org/admin');
  expect(mail!.text! + mail!.html!).not.toContain('Secret title');
  for (const { id } of (await client.get('/api/recordings/pending')).body as { id: number }[])
    await client.form('/api/feedback', { recordingId: id, writtenFeedback: 'Good.' });
  expect(recording.id).toBeGreaterThan(0);
  expect(await mailsTo(teacher)).toEqual([]);
});

test('does not queue news emails for a user who has turned them off', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  expect((await client.put('/api/user/notifications', { wantsNewsMail: 'no' })).status).toBe(400);
  const chosen = await client.put('/api/user/notifications', { wantsNewsMail: false });
  expect(chosen.body).toEqual({ wantsNewsMail: false });
  expect((await client.get('/api/user')).body.wantsNewsMail).toBe(false);
  await app.make.feedback({ student });
  expect(await mailsTo(student)).toEqual([]);
});

test('open pages are notified only of changes that concern them', async () => {
  const student = await app.make.student();
  const [own, others, admins] = await Promise.all(
    [student, await app.make.student(), await app.make.teacher()].map(async (user) =>
      (await app.as(user)).stream('/api/events'),
    ),
  );
  expect(own!.headers.get('content-type')).toBe('text/event-stream');
  await app.make.feedback({ student });
  await waitFor(() => {
    expect(own!.events.flatMap((event) => (event as { refreshes: string[] }).refreshes)).toContain(
      '/api/feedback',
    );
    expect(admins!.events.flatMap((event) => (event as { refreshes: string[] }).refreshes)).toContain(
      '/api/admin/pending-recordings',
    );
  });
  expect(others!.events).toEqual([]);
  await Promise.all([own, others, admins].map((stream) => stream!.close()));
});

test('a rolled-back change does not notify open pages', async () => {
  const student = await app.make.student();
  const stream = await (await app.as(student)).stream('/api/events');
  await app.db
    .transaction(async (tx) => {
      await app.services.news.announceFeedbackGiven(tx, student.id);
      throw new Error('taken back');
    })
    .catch(() => undefined);
  await app.make.feedback({ student });
  const notifications = () =>
    stream.events.filter((event) => (event as { refreshes: string[] }).refreshes.includes('/api/feedback'));
  await waitFor(() => expect(notifications()).not.toEqual([]));
  expect(notifications()).toHaveLength(1);
  await stream.close();
});

test('opening an eleventh stream ends the user’s oldest stream', async () => {
  const each = await startTestApp({ alone: true });
  const client = await each.as(await each.make.student());
  const streams = [];
  for (let i = 0; i < 11; i += 1) streams.push(await client.stream('/api/events'));
  await streams[0]!.ended;
  await Promise.all(streams.slice(1).map((stream) => stream.close()));
});

test('does not queue news emails without a mail server', async () => {
  const student = await plain.make.student();
  await plain.make.feedback({ student });
  expect(await plain.count('mails')).toBe(0);
});

describe('open streams', () => {
  const DAY_MS = 24 * HOUR_MS;
  afterEach(() => app.clock.reset());

  test('after only a stream used the session, the next request renews its cookie', async () => {
    const client = await app.as(await app.make.student(), app.direct);
    app.clock.advance(2 * DAY_MS);
    const stream = await client.stream('/api/events');
    expect(stream.headers.getSetCookie()).toEqual([]);
    const asked = vi.spyOn(app.services.sessions, 'callersOf');
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await asked.mock.results[0]!.value;
    const next = await client.get('/api/user');
    expect(next.headers.getSetCookie().join()).toMatch(/session=.*Max-Age=2592000/);
    await stream.close();
  });

  test('an open stream ends when its user signs out or the session expires', async () => {
    const student = await app.make.student();
    const [one, other] = [await app.as(student), await app.as(student)];
    const [first, second] = [await one.stream('/api/events'), await other.stream('/api/events')];
    await other.post('/api/logout');
    await second.ended;
    app.clock.advance(31 * DAY_MS);
    await first.ended;
  });
});
