import { expect, test } from 'vitest';
import { allEndpoints } from '#app/api.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';
import { unzip } from '#testing/unzip.ts';

const app = await startTestApp();
const DAY_MS = 24 * 60 * 60 * 1000;
const LOG = '/api/user/practice-log';
const CLOSED = {
  message:
    'This isn’t available, because you signed in with a code from Khandro Yeshe. To use it, sign out, then sign in with your password or an emailed link.',
};

const khandro = await app.make.teacher({ firstName: 'Khandro', lastName: 'Yeshe' });
const teacher = await app.as(khandro);

/** Returns a browser in which the student signed in with a code from the teacher. */
async function signInByTeachersCode(student: { id: string }) {
  const shown = await teacher.post(`/api/admin/users/${student.id}/sign-in-codes`);
  const client = app.visitor();
  await client.post('/api/sign-in/one-time', { kind: 'code', token: shown.body.code });
  return client;
}

const buildPracticeAddition = ({ id: melodyId }: { id: number }) => ({
  ...{ clientId: crypto.randomUUID(), melodyId, seconds: 60, times: 1 },
  day: new Date().toISOString().slice(0, 10),
});

const closed = allEndpoints.filter(({ isForOwnerOnly }) => isForOwnerOnly);

test('only the listed endpoints are reserved for the owner’s own sessions', () => {
  expect(closed.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /api/user/practice-log',
    'DELETE /api/user/practice-log/{id}',
    'DELETE /api/user/sessions/{id}',
    'GET /api/user/practice-log',
    'GET /api/user/practice-log/export',
    'GET /api/user/practice-log/{id}/days',
    'GET /api/user/sessions',
    'POST /api/agreements/{id}/agree',
    'POST /api/user/sign-in-codes',
    'PUT /api/user/practice-log',
    'PUT /api/user/practice-log/{id}',
    'PUT /api/user/practice-log/{id}/days/{day}',
  ]);
});

test.each(closed)('$method $path is forbidden in a session started by a teacher’s code', async (endpoint) => {
  const client = await signInByTeachersCode(await app.make.student());
  const path = endpoint.path.replace('{id}', '1').replace('{day}', '2026-11-20');
  const reply = await client.send(endpoint.method, path);
  expect([reply.status, reply.body]).toEqual([403, CLOSED]);
});

test('a session started by a teacher’s code can add to the practice log', async () => {
  const student = await app.make.student({ levels: ['Open to All'] });
  const own = await app.as(student);
  await own.put(LOG, { keepsPracticeLog: true });
  const additions = [buildPracticeAddition(await app.make.melody())];
  const client = await signInByTeachersCode(student);
  expect((await client.post(LOG, { additions })).body).toEqual({ message: 'Practice added' });
  expect((await own.get(LOG)).body).toMatchObject([{ seconds: 60 }]);
});

test('an export includes the practice log only in the student’s own session', async () => {
  const student = await app.make.student({ levels: ['Open to All'] });
  const own = await app.as(student);
  await own.put(LOG, { keepsPracticeLog: true });
  await own.post(LOG, { additions: [buildPracticeAddition(await app.make.melody())] });
  const filesIn = async (client: TestClient) => {
    const archive = await client.get(`/api/users/${student.id}/export`);
    return [...(await unzip(archive.bytes)).keys()].map((name) => name.split('/').at(-1));
  };
  expect(await filesIn(own)).toContain('practice.csv');
  expect(await filesIn(await signInByTeachersCode(student))).not.toContain('practice.csv');
});

test('entering the password lifts the restrictions of a teacher’s code', async () => {
  const client = await signInByTeachersCode(await app.make.student());
  expect((await client.get('/api/user')).body.codeShownBy).toBe('Khandro Yeshe');
  await client.post('/api/user/change-password', {
    ...{ currentPassword: TEST_PASSWORD, newPassword: 'snow on the high pass' },
  });
  expect((await client.get('/api/user')).body.codeShownBy).toBeNull();
  expect((await client.get(LOG)).status).toBe(200);
});

test('a student can see past sign-ins with a teacher’s code', async () => {
  const student = await app.make.student();
  try {
    const before = app.clock.now().toISOString();
    const client = await signInByTeachersCode(student);
    const after = app.clock.now().toISOString();
    await client.post('/api/logout');
    app.clock.advance(DAY_MS);
    const own = await app.as(student);
    const { body } = await own.get('/api/user/code-sign-ins');
    expect(body).toEqual([{ shownBy: 'Khandro Yeshe', device: 'an unknown device', at: expect.any(String) }]);
    const { at } = body[0] as { at: string };
    expect(before <= at && at <= after).toBe(true);
    const other = await app.as(await app.make.student());
    expect((await other.get('/api/user/code-sign-ins')).body).toEqual([]);
  } finally {
    app.clock.reset();
  }
});

test('a code from the student’s own device starts an unrestricted session', async () => {
  const student = await app.make.student();
  const own = await app.as(student);
  const token = (await own.post('/api/user/sign-in-codes')).body.code as string;
  const client = app.visitor();
  await client.post('/api/sign-in/one-time', { kind: 'code', token });
  expect((await client.get(LOG)).status).toBe(200);
  expect((await client.get('/api/user/code-sign-ins')).body).toEqual([]);
});

test('maintenance deletes sign-ins with a teacher’s code after a year', async () => {
  const student = await app.make.student();
  await signInByTeachersCode(student);
  try {
    app.clock.advance(366 * DAY_MS);
    await app.services.signIn.deleteOldDevices();
    expect((await (await app.as(student)).get('/api/user/code-sign-ins')).body).toEqual([]);
  } finally {
    app.clock.reset();
  }
});
