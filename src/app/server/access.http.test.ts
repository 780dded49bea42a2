import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../api.ts';
import { mails, passkeys, users } from '#server/db/schema.ts';
import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import { startTestApp } from '#testing/app.ts';
import { FakeAuthenticator } from '#testing/fake-authenticator.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient, TestResponse } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

// Kinds of callers with which every endpoint is tested. 'student' owns the rows that a request refers to;
// 'other' is a student who does not own them.
const CALLERS = ['visitor', 'student', 'other', 'admin', 'disabled'] as const;
type Statuses = [visitor: number, student: number, other: number, admin: number, disabled: number];

const app = await startTestApp();

/** A passkey's response to a challenge that the server never issued. */
const madeUp = new FakeAuthenticator('http://localhost').answer(
  { challenge: 'x'.repeat(43), rpId: 'localhost' },
  { userHandle: 'bm9ib2R5' },
);

async function makePasskey({ id: userId }: { id: string }) {
  const row = { userId, credentialId: crypto.randomUUID(), publicKey: 'none', counter: 0, name: 'Phone' };
  const [made] = await app.db.insert(passkeys).values(row).returning({ id: passkeys.id });
  return made!.id;
}

/** Asks the student for an agreement to share a passage. Returns the agreement's id. */
async function makeAgreement(melody: { id: number }, { recordingId }: { recordingId: number }) {
  const teacher = await app.make.teacher();
  const words = { clientId: crypto.randomUUID(), line: 0, text: 'Softer.' };
  const { note } = await app.services.teachingNotes.add(melody.id, words, { ...teacher, role: 'admin' });
  const passage = { recordingId, start: 0, end: 1, wantsName: true };
  const question = { clientId: crypto.randomUUID(), noteId: note.id, ...passage };
  return (await app.services.agreements.ask(question, teacher)).agreement.id;
}

async function makeWorld() {
  const student = await app.make.student();
  const level = await app.make.grant(student, `Level of ${student.username}`);
  const other = await app.make.student();
  const melody = await app.make.melody({ level: level.name });
  const practisedMelody = await app.make.practisedMelody(student, melody);
  const feedback = await app.make.feedback({ student, melodyId: melody.id });
  const agreementId = await makeAgreement(melody, feedback);
  const pending = await app.make.recording({ student });
  const uploadId = crypto.randomUUID();
  await app.services.uploads.begin({ id: student.id, role: 'student' }, uploadId, { size: 4 });
  const mail = await app.make.mail(student);
  const request = await app.make.request();
  const doomed = await app.make.student();
  const unused = await app.make.level(`Unused beside ${student.username}`);
  const signInCode = await app.services.signIn.makeOwnCode(student, '127.0.0.1');
  const [{ newsToken }] = (await app.db.select().from(users).where(eq(users.id, student.id))) as [
    typeof users.$inferSelect,
  ];
  const made = {
    student,
    other,
    level,
    melody,
    practisedMelody,
    feedback,
    pending,
    request,
    doomed,
    unused,
    mail,
    uploadId,
    signInCode,
  };
  const passkeyId = await makePasskey(student);
  return { ...made, newsToken, passkeyId, agreementId };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

let readsWorld: Promise<World> | undefined;
/** Returns the test data that all requests without side effects share. */
const getReadOnlyWorld = () => (readsWorld ??= makeWorld());

const audio = { bytes: createTone(1), name: 'song.wav' };
const anyone: Statuses = [200, 200, 200, 200, 200];
const signedIn: Statuses = [401, 200, 200, 200, 401];
const adminsOnly = (status: number): Statuses => [401, 403, 403, status, 401];
const studentsOnly = (status: number): Statuses => [401, status, status, 403, 401];

const matrix: Record<
  string,
  { statuses: Statuses; send(client: TestClient, world: World): Promise<TestResponse> }
> = {
  'POST /api/login': {
    statuses: [401, 401, 401, 401, 401],
    send: (client, { student }) =>
      client.post('/api/login', { username: student.username, password: 'wrong' }),
  },
  'GET /api/login': { statuses: [302, 302, 302, 302, 302], send: (client) => client.get('/api/login') },
  'POST /api/logout': { statuses: anyone, send: (client) => client.post('/api/logout') },
  'GET /api/logout': { statuses: [302, 302, 302, 302, 302], send: (client) => client.get('/api/logout') },
  'POST /api/sign-in/link': {
    // Everybody is rejected, because there is no mail server.
    statuses: [409, 409, 409, 409, 409],
    send: (client, { student }) => client.post('/api/sign-in/link', { name: student.username }),
  },
  'POST /api/sign-in/one-time/owner': {
    statuses: [400, 400, 400, 400, 400],
    send: (client) => client.post('/api/sign-in/one-time/owner', { kind: 'link', token: 'x'.repeat(43) }),
  },
  'POST /api/sign-in/one-time': {
    statuses: [400, 400, 400, 400, 400],
    send: (client) => client.post('/api/sign-in/one-time', { kind: 'link', token: 'x'.repeat(43) }),
  },
  'POST /api/sign-in/passkey': {
    statuses: [400, 400, 400, 400, 400],
    send: (client) => client.post('/api/sign-in/passkey', { passkey: madeUp }),
  },
  'POST /api/passkeys/challenge': {
    statuses: anyone,
    send: (client) => client.post('/api/passkeys/challenge'),
  },
  'GET /api/user/passkeys': { statuses: signedIn, send: (client) => client.get('/api/user/passkeys') },
  'POST /api/user/passkeys/challenge': {
    statuses: signedIn,
    send: (client) => client.post('/api/user/passkeys/challenge', {}),
  },
  'POST /api/user/passkeys': {
    statuses: [401, 201, 201, 201, 401],
    send: async (client) => {
      const { body } = await client.post('/api/user/passkeys/challenge', {});
      const phone = new FakeAuthenticator(app.settings.publicUrl.origin);
      const passkey = body.rp ? phone.create(body) : madeUp;
      return client.post('/api/user/passkeys', { name: 'Phone', passkey });
    },
  },
  'PUT /api/user/passkeys/{id}': {
    statuses: [401, 200, 404, 404, 401],
    send: (client, { passkeyId }) => client.put(`/api/user/passkeys/${passkeyId}`, { name: 'Tablet' }),
  },
  'DELETE /api/user/passkeys/{id}': {
    statuses: [401, 200, 404, 404, 401],
    send: async (client, { student }) => client.delete(`/api/user/passkeys/${await makePasskey(student)}`),
  },
  'DELETE /api/user/passkey-suggestion': {
    statuses: signedIn,
    send: (client) => client.delete('/api/user/passkey-suggestion'),
  },
  'PUT /api/user/passkey-second-factor': {
    // The admin is rejected too, because no passkey has created this assertion.
    statuses: adminsOnly(400),
    send: (client) => client.put('/api/user/passkey-second-factor', { isOn: true, passkey: madeUp }),
  },
  'DELETE /api/admin/users/{id}/passkeys': {
    statuses: adminsOnly(200),
    send: (client, { student }) => client.delete(`/api/admin/users/${student.id}/passkeys`),
  },
  'POST /api/user/sign-in-codes': {
    statuses: [401, 201, 201, 201, 401],
    send: (client) => client.post('/api/user/sign-in-codes'),
  },
  'GET /api/user/sign-in-codes/{id}': {
    statuses: [401, 200, 404, 404, 401],
    send: (client, { signInCode }) => client.get(`/api/user/sign-in-codes/${signInCode.id}`),
  },
  'DELETE /api/user/sign-in-codes/{id}': {
    statuses: [401, 200, 404, 404, 401],
    send: (client, { signInCode }) => client.delete(`/api/user/sign-in-codes/${signInCode.id}`),
  },
  'POST /api/admin/users/{id}/sign-in-codes': {
    statuses: adminsOnly(201),
    send: (client, { student }) => client.post(`/api/admin/users/${student.id}/sign-in-codes`),
  },
  'GET /api/user': { statuses: signedIn, send: (client) => client.get('/api/user') },
  'POST /api/user/change-password': {
    statuses: signedIn,
    send: (client) =>
      client.post('/api/user/change-password', {
        currentPassword: TEST_PASSWORD,
        newPassword: 'another-one',
      }),
  },
  'DELETE /api/user/password-suggestion': {
    statuses: signedIn,
    send: (client) => client.delete('/api/user/password-suggestion'),
  },
  'POST /api/user/sign-out-elsewhere': {
    statuses: signedIn,
    send: (client) => client.post('/api/user/sign-out-elsewhere'),
  },
  'POST /api/password-reset/request': {
    statuses: anyone,
    send: (client, { student }) => client.post('/api/password-reset/request', { email: student.email }),
  },
  'POST /api/password-reset/confirm': {
    statuses: [400, 400, 400, 400, 400],
    send: (client) =>
      client.post('/api/password-reset/confirm', { token: 'x'.repeat(43), newPassword: 'another-one' }),
  },
  'POST /api/register-request': {
    statuses: [201, 201, 201, 201, 201],
    send: (client, { student }) =>
      client.post('/api/register-request', {
        fullName: 'Ani Lhamo',
        email: `${crypto.randomUUID()}.${student.email}`,
      }),
  },
  'GET /api/admin/registration-requests': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/registration-requests'),
  },
  'GET /api/admin/registration-requests/count': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/registration-requests/count'),
  },
  'GET /api/admin/registration-requests/recent': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/registration-requests/recent'),
  },
  'POST /api/admin/approve-user': {
    statuses: adminsOnly(200),
    send: (client, { request, level }) =>
      client.post('/api/admin/approve-user', { requestId: request.id, transmissionLevels: [level.id] }),
  },
  'DELETE /api/admin/registration-requests/{id}': {
    statuses: adminsOnly(200),
    send: (client, { request }) => client.delete(`/api/admin/registration-requests/${request.id}`),
  },
  'POST /api/admin/invite-users/check': {
    statuses: adminsOnly(200),
    send: (client) =>
      client.post('/api/admin/invite-users/check', {
        invites: [{ email: 'karma@example.org', firstName: 'Karma', lastName: 'Yeshe' }],
      }),
  },
  'POST /api/admin/invite-users': {
    statuses: adminsOnly(200),
    send: (client, { level }) =>
      client.post('/api/admin/invite-users', {
        invites: [
          {
            email: `${crypto.randomUUID()}@example.org`,
            firstName: 'Karma',
            lastName: 'Yeshe',
            transmissionLevels: [level.id],
          },
        ],
      }),
  },
  'GET /api/admin/audit-log': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/audit-log'),
  },
  'GET /api/admin/notices': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/notices'),
  },
  'DELETE /api/admin/notices/{kind}': {
    statuses: adminsOnly(200),
    send: (client) => client.delete('/api/admin/notices/no-backup'),
  },
  'GET /api/user/transmission-levels': {
    statuses: signedIn,
    send: (client) => client.get('/api/user/transmission-levels'),
  },
  'GET /api/admin/transmission-levels': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/transmission-levels'),
  },
  'POST /api/admin/transmission-levels': {
    statuses: adminsOnly(201),
    send: (client) => client.post('/api/admin/transmission-levels', { name: crypto.randomUUID() }),
  },
  'PUT /api/admin/transmission-levels/{id}': {
    statuses: adminsOnly(200),
    send: (client, { unused }) =>
      client.put(`/api/admin/transmission-levels/${unused.id}`, { description: 'Described' }),
  },
  'DELETE /api/admin/transmission-levels/{id}': {
    statuses: adminsOnly(200),
    send: (client, { unused }) => client.delete(`/api/admin/transmission-levels/${unused.id}`),
  },
  'POST /api/init': { statuses: adminsOnly(200), send: (client) => client.post('/api/init') },
  'GET /api/admin/users': { statuses: adminsOnly(200), send: (client) => client.get('/api/admin/users') },
  'GET /api/admin/users/{id}': {
    statuses: adminsOnly(200),
    send: (client, { student }) => client.get(`/api/admin/users/${student.id}`),
  },
  'POST /api/admin/create-user-with-credentials': {
    statuses: adminsOnly(201),
    send: (client, { level }) =>
      client.post('/api/admin/create-user-with-credentials', {
        email: `${crypto.randomUUID()}@example.org`,
        firstName: 'Karma',
        lastName: 'Yeshe',
        transmissionLevels: [level.id],
      }),
  },
  'GET /api/admin/users/{id}/transmission-access': {
    statuses: adminsOnly(200),
    send: (client, { student }) => client.get(`/api/admin/users/${student.id}/transmission-access`),
  },
  'POST /api/admin/users/{id}/transmission-access': {
    statuses: adminsOnly(200),
    send: (client, { student, level }) =>
      client.post(`/api/admin/users/${student.id}/transmission-access`, { transmissionLevelId: level.id }),
  },
  'DELETE /api/admin/users/{id}/transmission-access/{levelId}': {
    statuses: adminsOnly(200),
    send: (client, { student, level }) =>
      client.delete(`/api/admin/users/${student.id}/transmission-access/${level.id}`),
  },
  'POST /api/admin/users/{id}/password': {
    statuses: adminsOnly(201),
    send: async (client) => client.post(`/api/admin/users/${(await app.make.student()).id}/password`),
  },
  'POST /api/admin/users/changes': {
    statuses: adminsOnly(200),
    send: (client, { student, level }) =>
      client.post('/api/admin/users/changes', {
        ...{ userIds: [student.id], change: 'grant', transmissionLevels: [level.id] },
        clientId: crypto.randomUUID(),
      }),
  },
  'PUT /api/admin/users/{id}/status': {
    statuses: adminsOnly(200),
    send: (client, { doomed }) => client.put(`/api/admin/users/${doomed.id}/status`, { isActive: false }),
  },
  'PUT /api/admin/users/{id}': {
    statuses: adminsOnly(200),
    send: (client, { student }) =>
      client.put(`/api/admin/users/${student.id}`, {
        ...{ firstName: 'Tashi', lastName: 'Dolma', email: `${student.username}@example.org` },
      }),
  },
  'POST /api/user/proof': {
    statuses: signedIn,
    send: (client) => client.post('/api/user/proof', { password: TEST_PASSWORD }),
  },
  'PUT /api/admin/account': {
    statuses: adminsOnly(400),
    send: (client) => client.put('/api/admin/account', {}),
  },
  'DELETE /api/admin/users/{id}': {
    statuses: adminsOnly(200),
    send: (client, { doomed }) => client.delete(`/api/admin/users/${doomed.id}`),
  },
  'GET /api/pack': {
    statuses: signedIn,
    send: (client, { melody }) => client.get(`/api/pack?melodies=${melody.id}`),
  },
  'GET /api/melodies': { statuses: signedIn, send: (client) => client.get('/api/melodies') },
  'GET /api/melodies/{id}': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { melody }) => client.get(`/api/melodies/${melody.id}`),
  },
  'POST /api/melodies': {
    statuses: adminsOnly(201),
    send: (client, { level }) =>
      client.form('/api/melodies', { title: 'A song', transmissionLevelId: level.id, audioFile: audio }),
  },
  'PUT /api/melodies/{id}': {
    statuses: adminsOnly(200),
    send: (client, { melody }) =>
      client.form(`/api/melodies/${melody.id}`, { title: 'Another title' }, { method: 'PUT' }),
  },
  'DELETE /api/melodies/{id}': {
    statuses: adminsOnly(200),
    send: (client, { melody }) => client.delete(`/api/melodies/${melody.id}`),
  },
  'GET /api/melodies/use': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/melodies/use'),
  },
  'GET /api/melodies/timed': { statuses: signedIn, send: (client) => client.get('/api/melodies/timed') },
  'POST /api/melodies/changes': {
    statuses: adminsOnly(200),
    send: (client, { melody, level }) =>
      client.post('/api/melodies/changes', {
        ...{ melodyIds: [melody.id], change: 'level', transmissionLevelId: level.id },
      }),
  },
  'POST /api/recordings': {
    statuses: studentsOnly(201),
    send: (client) => client.form('/api/recordings', { title: 'My song', audio }),
  },
  'GET /api/student/recordings': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/student/recordings'),
  },
  'GET /api/student/recordings/count': {
    statuses: studentsOnly(200),
    send: (client, { melody }) => client.get(`/api/student/recordings/count?melodyId=${melody.id}`),
  },
  'GET /api/student/recordings/waiting': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/student/recordings/waiting'),
  },
  'GET /api/admin/pending-recordings': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/pending-recordings'),
  },
  'GET /api/admin/pending-recordings/count': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/pending-recordings/count'),
  },
  'GET /api/recordings/pending': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/recordings/pending'),
  },
  'POST /api/feedback': {
    statuses: adminsOnly(201),
    send: (client, { pending }) =>
      client.form('/api/feedback', { recordingId: pending.id, writtenFeedback: 'Slower.' }),
  },
  'GET /api/admin/feedback/held': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/feedback/held'),
  },
  'DELETE /api/admin/feedback/held/{id}': {
    // The admin receives a 404, because there is no held feedback.
    statuses: adminsOnly(404),
    send: (client, { pending }) => client.delete(`/api/admin/feedback/held/${pending.id}`),
  },
  'GET /api/admin/phrases': { statuses: adminsOnly(200), send: (client) => client.get('/api/admin/phrases') },
  'GET /api/admin/melodies/{id}/phrases': {
    statuses: adminsOnly(200),
    send: (client, { melody }) => client.get(`/api/admin/melodies/${melody.id}/phrases`),
  },
  'POST /api/admin/phrases': {
    statuses: adminsOnly(201),
    send: (client) => client.post('/api/admin/phrases', { name: 'breath', text: 'Breathe.' }),
  },
  'PUT /api/admin/phrases/{id}': {
    statuses: adminsOnly(404),
    send: (client) => client.put('/api/admin/phrases/1', { name: 'breath', text: 'Breathe.' }),
  },
  'DELETE /api/admin/phrases/{id}': {
    statuses: adminsOnly(404),
    send: (client) => client.delete('/api/admin/phrases/1'),
  },
  'GET /api/melodies/{id}/teaching-notes': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { melody }) => client.get(`/api/melodies/${melody.id}/teaching-notes`),
  },
  'POST /api/melodies/{id}/teaching-notes': {
    statuses: adminsOnly(404),
    send: (client) =>
      client.post('/api/melodies/999999/teaching-notes', {
        ...{ clientId: crypto.randomUUID(), line: 0, text: 'Softer.' },
      }),
  },
  'PUT /api/melodies/{id}/teaching-notes/order': {
    statuses: adminsOnly(200),
    send: (client, { melody }) => client.put(`/api/melodies/${melody.id}/teaching-notes/order`, { ids: [] }),
  },
  'PUT /api/teaching-notes/{id}': {
    statuses: adminsOnly(404),
    send: (client) => client.put('/api/teaching-notes/999999', { line: 0, text: 'Softer.' }),
  },
  'DELETE /api/teaching-notes/{id}': {
    statuses: adminsOnly(404),
    send: (client) => client.delete('/api/teaching-notes/999999'),
  },
  'GET /api/admin/melodies/{id}/marks-by-line': {
    statuses: adminsOnly(200),
    send: (client, { melody }) => client.get(`/api/admin/melodies/${melody.id}/marks-by-line`),
  },
  'GET /api/admin/melodies/{id}/marked-answers': {
    statuses: adminsOnly(200),
    send: (client, { melody }) => client.get(`/api/admin/melodies/${melody.id}/marked-answers`),
  },
  'POST /api/admin/agreements': {
    statuses: adminsOnly(404),
    send: (client, { feedback }) =>
      client.post('/api/admin/agreements', {
        ...{ clientId: crypto.randomUUID(), noteId: 999_999, recordingId: feedback.recordingId },
        ...{ start: 0, end: 1, wantsName: false },
      }),
  },
  'GET /api/admin/agreements': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/agreements'),
  },
  'DELETE /api/admin/agreements/{id}': {
    statuses: adminsOnly(200),
    send: (client, { agreementId }) => client.delete(`/api/admin/agreements/${agreementId}`),
  },
  'GET /api/agreements': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/agreements'),
  },
  'GET /api/agreements/waiting': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/agreements/waiting'),
  },
  'POST /api/agreements/{id}/agree': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { agreementId }) =>
      client.post(`/api/agreements/${agreementId}/agree`, { signature: 'Tashi', withName: false }),
  },
  'POST /api/agreements/{id}/decline': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { agreementId }) => client.post(`/api/agreements/${agreementId}/decline`),
  },
  'POST /api/agreements/{id}/revoke': {
    // Even the student receives a 409, because they have not agreed to share the passage yet.
    statuses: [401, 409, 404, 403, 401],
    send: (client, { agreementId }) => client.post(`/api/agreements/${agreementId}/revoke`),
  },
  'GET /api/admin/feedback/put-aside': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/feedback/put-aside'),
  },
  'PUT /api/admin/recordings/{id}/put-aside': {
    statuses: adminsOnly(200),
    send: async (client, { student }) =>
      client.put(`/api/admin/recordings/${(await app.make.recording({ student })).id}/put-aside`, {
        until: new Date(Date.now() + 86_400_000).toISOString(),
      }),
  },
  'GET /api/feedback': { statuses: studentsOnly(200), send: (client) => client.get('/api/feedback') },
  'PATCH /api/feedback/{id}/status': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { feedback }) => client.patch(`/api/feedback/${feedback.id}/status`, { status: 'read' }),
  },
  'DELETE /api/recordings/{id}': {
    statuses: [401, 200, 404, 403, 401],
    send: async (client, { student }) =>
      client.delete(`/api/recordings/${(await app.make.recording({ student })).id}`),
  },
  'GET /api/recordings/{id}/thread': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { pending }) => client.get(`/api/recordings/${pending.id}/thread`),
  },
  'GET /api/recordings/{id}/lines': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { pending }) => client.get(`/api/recordings/${pending.id}/lines`),
  },
  'PUT /api/recordings/{id}/lines': {
    // The admin is rejected too, because the melody has no lines.
    statuses: adminsOnly(409),
    send: (client, { pending }) =>
      client.put(`/api/recordings/${pending.id}/lines`, { line: 0, was: 0, start: 1 }),
  },
  'GET /api/recordings/{id}/latest-feedback': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { pending }) => client.get(`/api/recordings/${pending.id}/latest-feedback`),
  },
  'PUT /api/feedback/{id}': {
    statuses: adminsOnly(200),
    send: (client, { feedback }) =>
      client.form(`/api/feedback/${feedback.id}`, { writtenFeedback: 'Corrected.' }, { method: 'PUT' }),
  },
  'GET /api/admin/recordings/{id}/feedback': {
    statuses: adminsOnly(200),
    send: (client, { feedback }) => client.get(`/api/admin/recordings/${feedback.recordingId}/feedback`),
  },
  'GET /api/admin/feedback-drafts': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/feedback-drafts'),
  },
  'PUT /api/admin/recordings/{id}/draft': {
    statuses: adminsOnly(200),
    send: (client, { pending }) =>
      client.put(`/api/admin/recordings/${pending.id}/draft`, { text: 'So far', marks: [] }),
  },
  // If two callers use the same id, each starts an upload of their own.
  'PUT /api/uploads/{clientId}': {
    statuses: signedIn,
    send: (client, { uploadId }) => client.put(`/api/uploads/${uploadId}`, { size: 4 }),
  },
  'PATCH /api/uploads/{clientId}': {
    statuses: [401, 200, 404, 404, 401],
    send: (client, { uploadId }) =>
      client.patch(`/api/uploads/${uploadId}?start=0`, new Uint8Array([1, 2, 3, 4])),
  },
  'GET /api/uploads/{clientId}/examination': {
    statuses: signedIn,
    send: (client, { uploadId }) => client.get(`/api/uploads/${uploadId}/examination`),
  },
  'DELETE /api/uploads/{clientId}': {
    statuses: signedIn,
    send: (client, { uploadId }) => client.delete(`/api/uploads/${uploadId}`),
  },
  'PUT /api/user/notifications': {
    statuses: signedIn,
    send: (client) => client.put('/api/user/notifications', { wantsNewsMail: true }),
  },
  'GET /api/events': {
    statuses: signedIn,
    send: async (client) => {
      const first = await client.get('/api/user');
      if (first.status !== 200) return client.get('/api/events');
      const stream = await client.stream('/api/events');
      await stream.close();
      return { ...first, status: stream.status };
    },
  },
  'GET /api/admin/feedback': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/feedback'),
  },
  'GET /api/feedback/unread-count': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/feedback/unread-count'),
  },
  'GET /api/feedback/newest-unread': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/feedback/newest-unread'),
  },
  'GET /api/user/favourites': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/user/favourites'),
  },
  'PUT /api/user/favourites/{id}': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { melody }) => client.put(`/api/user/favourites/${melody.id}`),
  },
  'DELETE /api/user/favourites/{id}': {
    statuses: studentsOnly(200),
    send: (client, { melody }) => client.delete(`/api/user/favourites/${melody.id}`),
  },
  'GET /api/user/today': { statuses: studentsOnly(200), send: (client) => client.get('/api/user/today') },
  'PUT /api/user/today/{id}': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { melody }) => client.put(`/api/user/today/${melody.id}`, { times: 3 }),
  },
  'DELETE /api/user/today/{id}': {
    statuses: studentsOnly(200),
    send: (client, { melody }) => client.delete(`/api/user/today/${melody.id}`),
  },
  'PUT /api/user/today': {
    statuses: studentsOnly(200),
    send: (client, { melody }) => client.put('/api/user/today', { melodyIds: [melody.id] }),
  },
  'GET /api/admin/melody-imports': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/melody-imports'),
  },
  'POST /api/admin/melody-imports/known': {
    statuses: adminsOnly(200),
    send: (client) => client.post('/api/admin/melody-imports/known', { sounds: [], titles: ['Refuge'] }),
  },
  'DELETE /api/admin/melody-imports/{id}': {
    statuses: adminsOnly(404),
    send: (client) => client.delete(`/api/admin/melody-imports/${crypto.randomUUID()}`),
  },
  'GET /api/user/sessions': { statuses: signedIn, send: (client) => client.get('/api/user/sessions') },
  'DELETE /api/user/sessions/{id}': {
    statuses: [401, 404, 404, 404, 401],
    send: (client) => client.delete(`/api/user/sessions/${crypto.randomUUID()}`),
  },
  'GET /api/user/code-sign-ins': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/user/code-sign-ins'),
  },
  'GET /api/user/practice-log': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/user/practice-log'),
  },
  'PUT /api/user/practice-log': {
    statuses: studentsOnly(200),
    send: (client) => client.put('/api/user/practice-log', { keepsPracticeLog: true }),
  },
  'POST /api/user/practice-log': {
    statuses: studentsOnly(200),
    send: (client, { melody }) =>
      client.post('/api/user/practice-log', {
        additions: [
          { clientId: crypto.randomUUID(), melodyId: melody.id, day: '2026-11-20', seconds: 60, times: 1 },
        ],
      }),
  },
  'DELETE /api/user/practice-log': {
    statuses: studentsOnly(200),
    send: (client) => client.delete('/api/user/practice-log'),
  },
  'PUT /api/user/practice-log/{id}': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { practisedMelody }) =>
      client.put(`/api/user/practice-log/${practisedMelody}`, { target: 108, sungBefore: 0 }),
  },
  'DELETE /api/user/practice-log/{id}': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { practisedMelody }) => client.delete(`/api/user/practice-log/${practisedMelody}`),
  },
  'GET /api/user/practice-log/{id}/days': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { practisedMelody }) => client.get(`/api/user/practice-log/${practisedMelody}/days`),
  },
  'PUT /api/user/practice-log/{id}/days/{day}': {
    statuses: [401, 200, 404, 403, 401],
    send: (client, { practisedMelody }) =>
      client.put(`/api/user/practice-log/${practisedMelody}/days/2026-11-20`, {
        ...{ seconds: 60, times: 1, seen: { seconds: 0, times: 0 } },
      }),
  },
  'GET /api/user/practice-log/export': {
    statuses: studentsOnly(200),
    send: (client) => client.get('/api/user/practice-log/export'),
  },
  'GET /api/files/{name}': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { melody }) => client.get(`/api/files/${melody.audioUrl}?type=audio`),
  },
  'GET /api/users/{id}/export': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { student }) => client.get(`/api/users/${student.id}/export`),
  },
  'GET /api/users/{id}/export/size': {
    statuses: [401, 200, 404, 200, 401],
    send: (client, { student }) => client.get(`/api/users/${student.id}/export/size`),
  },
  'GET /api/admin/library/export': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/library/export'),
  },
  'GET /api/admin/library/export/size': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/library/export/size'),
  },
  'GET /api/admin/backups': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/backups'),
  },
  'GET /api/admin/server': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/server'),
  },
  'PUT /api/news-mail': {
    statuses: anyone,
    send: (client, { newsToken }) => client.put('/api/news-mail', { token: newsToken, wantsNewsMail: false }),
  },
  'POST /unsubscribe': {
    statuses: anyone,
    send: (client, { newsToken }) =>
      client.form(`/unsubscribe?token=${newsToken}`, { 'List-Unsubscribe': 'One-Click' }),
  },
  'GET /api/admin/first-steps': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/first-steps'),
  },
  'DELETE /api/admin/first-steps': {
    statuses: adminsOnly(200),
    send: (client) => client.delete('/api/admin/first-steps'),
  },
  'POST /api/admin/first-steps/test-mail': {
    statuses: adminsOnly(409),
    send: (client) => client.post('/api/admin/first-steps/test-mail'),
  },
  'GET /api/admin/mail': { statuses: adminsOnly(200), send: (client) => client.get('/api/admin/mail') },
  'GET /api/admin/mail/undeliverable': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/mail/undeliverable'),
  },
  'GET /api/admin/mail/outbox': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/mail/outbox'),
  },
  'GET /api/admin/mail/delayed': {
    statuses: adminsOnly(200),
    send: (client) => client.get('/api/admin/mail/delayed'),
  },
  'POST /api/admin/mail/send-again': {
    statuses: adminsOnly(409),
    send: (client) => client.post('/api/admin/mail/send-again', { which: 'outbox' }),
  },
  'POST /api/admin/mail/outbox/texts': {
    statuses: adminsOnly(200),
    send: (client) => client.post('/api/admin/mail/outbox/texts', { batch: crypto.randomUUID() }),
  },
  'POST /api/admin/mail/outbox/passed-on': {
    statuses: adminsOnly(200),
    send: (client) =>
      client.post('/api/admin/mail/outbox/passed-on', { batch: crypto.randomUUID(), ids: [999_999] }),
  },
  'POST /api/admin/mail/{id}/text': {
    statuses: adminsOnly(200),
    send: (client, { mail }) => client.post(`/api/admin/mail/${mail.id}/text`),
  },
  'POST /api/admin/mail/{id}/send-again': {
    statuses: adminsOnly(409),
    send: (client, { mail }) => client.post(`/api/admin/mail/${mail.id}/send-again`),
  },
  'DELETE /api/admin/mail/{id}': {
    statuses: adminsOnly(200),
    send: async (client, { mail }) => {
      await app.db.update(mails).set({ status: 'undeliverable', text: null }).where(eq(mails.id, mail.id));
      return client.delete(`/api/admin/mail/${mail.id}`);
    },
  },
  'GET /api/health': { statuses: anyone, send: (client) => client.get('/api/health') },
  'GET /api/ready': { statuses: anyone, send: (client) => client.get('/api/ready') },
  'GET /api/openapi.json': { statuses: anyone, send: (client) => client.get('/api/openapi.json') },
};

const keyOf = (endpoint: { method: string; path: string }) => `${endpoint.method} ${endpoint.path}`;

test('every endpoint has a list of expected statuses in this file', () => {
  expect(Object.keys(matrix).sort()).toEqual(allEndpoints.map(keyOf).sort());
});

describe('unauthorized callers', () => {
  const NONE = { id: '2147483647', userId: crypto.randomUUID() };
  const named = allEndpoints.filter(({ access, path }) => access === 'admin' && path.includes('{'));
  test.each(named.map((endpoint) => [keyOf(endpoint), endpoint] as const))(
    '%s does not reveal to unauthorized callers whether a row exists',
    async (_, endpoint) => {
      const id = endpoint.path.startsWith('/api/admin/users/') ? NONE.userId : NONE.id;
      const path = endpoint.path.replace('{id}', id).replace('{levelId}', NONE.id);
      const ask = async (client: TestClient) => {
        const { status, body } = await client.send(endpoint.method, path);
        return [status, body] as unknown;
      };
      expect(await ask(app.visitor())).toEqual([401, { message: 'Unauthorized' }]);
      const student = await app.as(await app.make.student());
      expect(await ask(student)).toEqual([403, { message: 'Forbidden' }]);
      // Some endpoints respond with 400 before they look for the row, because the request has no body.
      const [status] = (await ask(await app.as(await app.make.teacher()))) as [number];
      expect(endpoint.body ? [400, 404] : [404]).toContain(status);
    },
  );
});

describe('pages that another user had loaded', () => {
  let world: World;
  let teacher: { id: string };
  beforeAll(async () => {
    [world, teacher] = [await makeWorld(), await app.make.teacher()];
  });
  const guarded = allEndpoints.filter(({ access }) => access !== 'public');
  test.each(guarded.map((endpoint) => [keyOf(endpoint), endpoint] as const))(
    'rejects %s from a page that another user had loaded',
    async (key, { access, method }) => {
      const signedIn = access === 'admin' ? teacher : world.student;
      const client = await app.as(signedIn);
      const what = method === 'GET' ? 'continue' : 'send it';
      const refusal = { message: `Someone else has signed in on this browser. Sign in again to ${what}.` };
      // Compares the rows only around the first request: reading every row takes far longer than a request,
      // and some entries of the matrix send several.
      const send = client.send.bind(client);
      if (method !== 'GET')
        client.send = async (...request) => {
          const before = await everyRow();
          const reply = await send(...request);
          expect(await everyRow()).toEqual(before);
          client.send = send;
          return reply;
        };
      for (const expected of [world.other.id, signedIn.id.toUpperCase(), `${signedIn.id}, `, 'nobody', '']) {
        client.headers[EXPECTED_USER_HEADER] = expected;
        const { status, body } = await matrix[key]!.send(client, world);
        expect([expected, status, body]).toEqual([expected, 412, refusal]);
      }
    },
  );

  test('checks the sign-in first, then the page’s user, then the permission', async () => {
    const visitor = app.visitor();
    visitor.headers[EXPECTED_USER_HEADER] = world.student.id;
    expect((await visitor.get('/api/user')).status).toBe(401);
    const student = await app.as(world.student);
    student.headers[EXPECTED_USER_HEADER] = world.other.id;
    expect((await student.get('/api/admin/users')).status).toBe(412);
  });

  test('allows requests from the user’s own page, and sign-in and sign-out from any page', async () => {
    const client = await app.as(world.student);
    client.headers[EXPECTED_USER_HEADER] = world.student.id;
    expect((await client.get('/api/user')).body.id).toBe(world.student.id);
    expect((await matrix['POST /api/recordings']!.send(client, world)).status).toBe(201);
    client.headers[EXPECTED_USER_HEADER] = world.other.id;
    const { username } = world.student;
    expect((await client.post('/api/login', { username, password: TEST_PASSWORD })).status).toBe(200);
    expect((await client.post('/api/logout')).status).toBe(200);
  });
});

// These tests come last, because they fill the database, and the tests above read every row.
describe.each(allEndpoints.map(keyOf))('permissions for %s', (key) => {
  const row = matrix[key];
  let world: World;
  beforeAll(async () => {
    world = key.startsWith('GET ') ? await getReadOnlyWorld() : await makeWorld();
  });
  test.each(CALLERS.map((caller, index) => [caller, row?.statuses[index]] as const))(
    `${key} responds to “%s” with status %d`,
    async (caller, status) => {
      const client = await clientFor(caller, world);
      const reply = await row!.send(client, world);
      expect(reply.status).toBe(status);
      if (reply.status === 401 && !key.endsWith('/login'))
        expect(reply.body).toEqual({ message: 'Unauthorized' });
      if (reply.status === 403) expect(reply.body).toEqual({ message: 'Forbidden' });
    },
  );
});

/** Returns a hash of the rows of each table, except sessions, whose rows change whenever they are used. */
async function everyRow() {
  const { rows: tables } = await app.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'sessions'`,
  );
  const contents = tables.map(
    ({ name }) => sql`select ${name} as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), ''))
      as rows from ${sql.identifier(name)} t`,
  );
  return app.db.transaction(async (tx) => {
    // Disables parallel workers, because starting them takes far longer than the query.
    await tx.execute(sql`set local max_parallel_workers_per_gather = 0`);
    return (await tx.execute(sql`${sql.join(contents, sql` union all `)} order by name`)).rows;
  });
}

async function clientFor(caller: (typeof CALLERS)[number], world: World): Promise<TestClient> {
  if (caller === 'visitor') return app.visitor();
  if (caller === 'admin') return app.as(await app.make.teacher());
  if (caller === 'student') return app.as(world.student);
  if (caller === 'other') return app.as(world.other);
  // Disables the user after the sign-in, so that the session is still in the browser and in the table.
  const disabled = await app.make.student();
  const client = await app.as(disabled);
  await app.make.disable(disabled);
  return client;
}
