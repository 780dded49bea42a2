import { expect, test } from 'vitest';
import { MELODY_LIST_PATHS } from '#shared/live.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';

const app = await startTestApp();
/** A second server on the same database. */
const elsewhere = await startTestApp({ beside: app });

const teacher = await app.as(await app.make.teacher());
const student = await app.make.student({ levels: ['Refuge'] });
const other = await app.make.student();
const refuge = await app.make.level('Refuge');

type Stream = Awaited<ReturnType<TestClient['stream']>>;
const refreshesOf = ({ events }: Stream) =>
  new Set(events.flatMap((event) => (event as { refreshes: string[] }).refreshes));

/**
 * Runs `act`, and returns the paths of which three open pages are notified: the student's page (`own`),
 * another student's (`others`) and another teacher's (`admins`).
 */
async function collectNotifications(act: () => Promise<unknown>) {
  const users = [student, other, await app.make.teacher()];
  const pages: Stream[] = [];
  for (const user of users) pages.push(await (await app.as(user)).stream('/api/events'));
  // Announces a change to all pages and waits for it. Changes arrive in order, so all earlier ones have arrived
  // by then.
  const untilAllHaveArrived = async () => {
    await announceChange(app.db, { to: [student.id, other.id, ALL_ADMINS], refreshes: ['/api/feedback'] });
    await waitFor(() => {
      for (const page of pages) expect(refreshesOf(page)).toContain('/api/feedback');
    });
  };
  await untilAllHaveArrived();
  for (const { events } of pages) events.length = 0;
  await act();
  await untilAllHaveArrived();
  const [own, others, admins] = pages.map((page) =>
    [...refreshesOf(page)].filter((one) => one !== '/api/feedback').sort(),
  );
  await Promise.all(pages.map((page) => page.close()));
  return { own, others, admins };
}

const LIBRARY = [...MELODY_LIST_PATHS, '/api/user/transmission-levels'];
/** Endpoints whose responses contain the name of a level. */
const NAMED = ['/api/melodies', '/api/user/transmission-levels'];
const MELODIES = {
  own: [...MELODY_LIST_PATHS],
  others: [],
  admins: ['/api/admin/transmission-levels', '/api/melodies'],
};
const ACCESS = `/api/admin/users/${student.id}/transmission-access`;

test('granting or revoking a level notifies the student', async () => {
  const lung = await app.make.level('Lung (Reading Transmission)');
  const granted = () => teacher.post(ACCESS, { transmissionLevelId: lung.id });
  expect(await collectNotifications(granted)).toEqual({ own: LIBRARY, others: [], admins: [] });
  expect(await collectNotifications(granted), 'granting again notifies nobody').toEqual({
    own: [],
    others: [],
    admins: [],
  });
  const revoked = () => teacher.delete(`${ACCESS}/${lung.id}`);
  expect(await collectNotifications(revoked)).toEqual({ own: LIBRARY, others: [], admins: [] });
  expect(await collectNotifications(revoked), 'revoking again notifies nobody').toEqual({
    own: [],
    others: [],
    admins: [],
  });
});

test('adding, changing or deleting a melody notifies the users who may hear it', async () => {
  let id = 0;
  const add = async () => {
    const { body } = await teacher.form('/api/melodies', { title: 'Kyab', transmissionLevelId: refuge.id });
    id = body.id as number;
  };
  expect(await collectNotifications(add)).toEqual(MELODIES);
  const change = (parts: Record<string, string | number>) =>
    teacher.form(`/api/melodies/${id}`, parts, { method: 'PUT' });
  expect(await collectNotifications(() => change({ title: 'Kyabdro' }))).toEqual(MELODIES);
  const wang = await app.make.level('Wang (Empowerment)');
  expect(
    await collectNotifications(() => change({ transmissionLevelId: wang.id })),
    'moved to a level that the student lacks',
  ).toEqual(MELODIES);
  expect(await collectNotifications(() => change({ title: 'Of another level' }))).toEqual({
    ...MELODIES,
    own: [],
  });
  expect(await collectNotifications(() => change({ transmissionLevelId: refuge.id }))).toEqual(MELODIES);
  expect(await collectNotifications(() => teacher.delete(`/api/melodies/${id}`))).toEqual(MELODIES);
});

test('adding, renaming or deleting a level notifies its students and all teachers', async () => {
  const path = '/api/admin/transmission-levels';
  const admins = ['/api/admin/transmission-levels', '/api/user/transmission-levels'];
  let id = 0;
  const add = async () => {
    id = (await teacher.post(path, { name: 'Dzogchen' })).body.id as number;
  };
  expect(await collectNotifications(add)).toEqual({ own: [], others: [], admins });
  await teacher.post(ACCESS, { transmissionLevelId: id });
  expect(await collectNotifications(() => teacher.put(`${path}/${id}`, { name: 'Ati' }))).toEqual({
    own: NAMED,
    others: [],
    admins: [admins[0], '/api/melodies', admins[1]],
  });
  expect(await collectNotifications(() => teacher.delete(`${path}/${id}`))).toEqual({
    own: NAMED,
    others: [],
    admins,
  });
});

test('creating, disabling or enabling a user notifies the other teachers', async () => {
  const users = { own: [], others: [], admins: ['/api/admin/mail', '/api/admin/users'] };
  const person = (email: string) => ({
    email,
    firstName: 'Pema',
    lastName: 'Lhamo',
    transmissionLevels: [refuge.id],
  });
  const create = () => teacher.post('/api/admin/create-user-with-credentials', person('pema@example.org'));
  expect(await collectNotifications(create)).toEqual(users);
  const invite = () => teacher.post('/api/admin/invite-users', { invites: [person('lhamo@example.org')] });
  expect(await collectNotifications(invite)).toEqual(users);
  const admins = ['/api/admin/users'];
  const { id } = await app.make.student();
  const disable = (isActive: boolean) => teacher.put(`/api/admin/users/${id}/status`, { isActive });
  expect(await collectNotifications(() => disable(false))).toEqual({ own: [], others: [], admins });
  expect(await collectNotifications(() => disable(true))).toEqual({ own: [], others: [], admins });
});

test('deleting a student notifies the other teachers of all deleted data', async () => {
  const doomed = await app.make.student();
  await app.make.recording({ student: doomed });
  await app.make.feedback({ student: doomed });
  expect(await collectNotifications(() => teacher.delete(`/api/admin/users/${doomed.id}`))).toEqual({
    own: [],
    others: [],
    admins: [
      '/api/admin/feedback',
      '/api/admin/mail',
      '/api/admin/pending-recordings',
      '/api/admin/users',
      '/api/recordings',
    ],
  });
});

test('submitting, withdrawing or answering a recording notifies student and teachers', async () => {
  const client = await app.as(student);
  const audio = { bytes: createTone(1), name: 'song.wav' };
  let id = 0;
  const submit = async () => {
    id = (await client.form('/api/recordings', { title: 'Sung', audio })).body.id as number;
  };
  const recordings = {
    own: ['/api/recordings', '/api/student/recordings'],
    others: [],
    admins: ['/api/admin/pending-recordings', '/api/recordings'],
  };
  expect(await collectNotifications(submit)).toEqual(recordings);
  expect(await collectNotifications(() => client.delete(`/api/recordings/${id}`))).toEqual(recordings);
  await submit();
  const send = () => teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'Good.' });
  const admins = ['/api/admin/feedback', ...recordings.admins];
  expect(await collectNotifications(send)).toEqual({ ...recordings, admins });
});

test('requesting access and deleting the request notify the teachers', async () => {
  const path = '/api/admin/registration-requests';
  const person = { fullName: 'Lhamo Live', email: 'lhamo.live@example.org' };
  const notified = { own: [], others: [], admins: [path] };
  expect(await collectNotifications(() => app.visitor().post('/api/register-request', person))).toEqual(
    notified,
  );
  const [{ id }] = (await teacher.get(path)).body as [{ id: number }];
  expect(await collectNotifications(() => teacher.delete(`${path}/${id}`))).toEqual(notified);
});

test('a change for several hundred users reaches each of them', async () => {
  const everyone = [...Array.from({ length: 400 }, () => crypto.randomUUID()), student.id];
  const announce = () => announceChange(app.db, { to: everyone, refreshes: ['/api/melodies'] });
  expect(await collectNotifications(announce)).toEqual({ own: ['/api/melodies'], others: [], admins: [] });
});

test('a change on one server reaches pages on another server with the same database', async () => {
  const page = await (await elsewhere.as(student)).stream('/api/events');
  const admins = await (await elsewhere.as(await app.make.teacher())).stream('/api/events');
  await app.make.feedback({ student });
  await waitFor(() => {
    expect(refreshesOf(page)).toContain('/api/feedback');
    expect(refreshesOf(admins)).toContain('/api/admin/pending-recordings');
  });
  await Promise.all([page.close(), admins.close()]);
});
