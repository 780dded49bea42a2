import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestResponse } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const someone = await app.make.student();
const student = await app.as(someone);
const recording = await app.make.recording({ student: someone, seconds: 3 });
const waiting = await app.make.recording({ student: someone, seconds: 3 });
const given = await app.make.feedback({ student: someone });
const melody = await app.make.melody();
const level = await app.make.level('Refuge');
const audio = { bytes: createTone(1), name: 'song.wav' };

const mark = (text: string) => ({ start: 0, end: null, text });
const put = { method: 'PUT' };

/**
 * Fields for typed text that are sent as JSON, which can encode a lone surrogate. Some of the JSON is inside
 * a form.
 */
const places: Record<string, (text: string) => Promise<TestResponse>> = {
  'the name in a registration request': (text) =>
    app.visitor().post('/api/register-request', { fullName: text, email: 'who@example.org' }),
  'the email in a registration request': (text) =>
    app.visitor().post('/api/register-request', { fullName: 'Who', email: `${text}@example.org` }),
  'the username at sign-in': (text) => app.visitor().post('/api/login', { username: text, password: 'x' }),
  'a first name': (text) =>
    teacher.post('/api/admin/create-user-with-credentials', newUser({ firstName: text })),
  'a last name': (text) =>
    teacher.post('/api/admin/create-user-with-credentials', newUser({ lastName: text })),
  'a new password': (text) =>
    student.post('/api/user/change-password', { currentPassword: 'not-it', newPassword: `lotus-${text}` }),
  'a password that replaces a forgotten one': (text) =>
    app.visitor().post('/api/password-reset/confirm', { token: 'none', newPassword: `lotus-${text}` }),
  'a reset token': (text) =>
    app.visitor().post('/api/password-reset/confirm', { token: text, newPassword: 'lotus-pond' }),
  'a level’s name': (text) => teacher.post('/api/admin/transmission-levels', { name: text }),
  'a level’s description': (text) =>
    teacher.put(`/api/admin/transmission-levels/${level.id}`, { description: text }),
  'a draft': (text) => teacher.put(`/api/admin/recordings/${waiting.id}/draft`, { text, marks: [] }),
  'a mark in a draft': (text) =>
    teacher.put(`/api/admin/recordings/${waiting.id}/draft`, { text: '', marks: [mark(text)] }),
  'a mark': (text) =>
    teacher.form('/api/feedback', { recordingId: recording.id, marks: JSON.stringify([mark(text)]) }),
  'a corrected mark': (text) =>
    teacher.form(`/api/feedback/${given.id}`, { marks: JSON.stringify([mark(text)]) }, put),
};

const newUser = (more: object) => ({
  email: `${crypto.randomUUID()}@example.org`,
  firstName: 'Tashi',
  lastName: 'Dolma',
  transmissionLevels: [level.id],
  ...more,
});

/** Fields that are sent in a form or URL, which can encode a NUL but not a lone surrogate. */
const inForms: Record<string, (text: string) => Promise<TestResponse>> = {
  'a title': (text) => student.form('/api/recordings', { title: text, audio }),
  'a message': (text) => student.form('/api/recordings', { title: 'Song', message: text, audio }),
  'written feedback': (text) =>
    teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: text }),
  'a melody’s title': (text) => teacher.form(`/api/melodies/${melody.id}`, { title: text }, put),
  'a melody’s description': (text) => teacher.form(`/api/melodies/${melody.id}`, { description: text }, put),
  'a melody’s words': (text) => teacher.form(`/api/melodies/${melody.id}`, { melodyText: text }, put),
  'a video URL': (text) =>
    teacher.form(`/api/melodies/${melody.id}`, { vimeoUrl: `https://example.org/${text}` }, put),
  'a search for melodies': (text) => student.get(`/api/melodies?q=${encodeURIComponent(text)}`),
  'a search for users': (text) => teacher.get(`/api/admin/users?q=${encodeURIComponent(text)}`),
  'a search for feedback': (text) => teacher.get(`/api/admin/feedback?q=${encodeURIComponent(text)}`),
};

const sentences = (reply: TestResponse) => `${reply.body.message} ${JSON.stringify(reply.body.issues)}`;

const countRows = async () => ({
  recordings: await app.count('recordings'),
  feedback: await app.count('feedback'),
  drafts: await app.count('feedback_drafts'),
  users: await app.count('users'),
  requests: await app.count('registration_requests'),
  levels: await app.count('transmission_levels'),
});

test.each(Object.keys(places))('responds with a readable error to a lone surrogate in %s', async (place) => {
  const before = await countRows();
  for (const half of ['\ud800', 'ka\udc00kha', '\udc00\ud800']) {
    const reply = await places[place]!(half);
    expect(reply.status).toBe(400);
    if (!/email|token/.test(place)) expect(sentences(reply)).toMatch(/character that can’t be saved/);
  }
  expect(await countRows()).toEqual(before);
});

test.each([...Object.entries(places), ...Object.entries(inForms)])(
  'responds with a readable error to a NUL in %s',
  async (place, send) => {
    const before = await countRows();
    const reply = await send('ka\0kha');
    expect(reply.status).toBe(400);
    if (!/email|token/.test(place)) expect(sentences(reply)).toMatch(/character that can’t be saved/);
    expect(await countRows()).toEqual(before);
  },
);

test('a password with a lone surrogate or a NUL is treated as a wrong password', async () => {
  for (const password of ['\ud800', 'ka\0kha']) {
    const reply = await app.visitor().post('/api/login', { username: someone.username, password });
    expect([reply.status, reply.body.message]).toEqual([401, 'Invalid username or password']);
  }
});

test('of several invitations, only the row with a lone surrogate fails', async () => {
  const invites = [newUser({ firstName: '\ud800' }), newUser({ firstName: 'Pema' })];
  const reply = await teacher.post('/api/admin/invite-users', { invites });
  expect(reply.body).toMatchObject({
    successCount: 1,
    failureCount: 1,
    results: [
      { ok: false, message: expect.stringMatching(/character that can’t be saved/) as string },
      { ok: true },
    ],
  });
});

test('accepts characters beyond the Basic Multilingual Plane in a draft', async () => {
  const text = 'ཨོཾ 🙏🏽 \u{20000}';
  const reply = await teacher.put(`/api/admin/recordings/${waiting.id}/draft`, { text, marks: [mark(text)] });
  expect(reply.status).toBe(200);
  expect((await teacher.get('/api/admin/feedback-drafts')).body).toMatchObject([{ text, marks: [{ text }] }]);
});

/** Single-line fields, with a function that returns the normalized value. */
const lines: Record<string, (text: string) => Promise<string>> = {
  'a first name': async (text) =>
    (await teacher.post('/api/admin/create-user-with-credentials', newUser({ firstName: text }))).body.user
      .firstName,
  'the name in an invitation': async (text) => {
    const invited = newUser({ lastName: text });
    await teacher.post('/api/admin/invite-users', { invites: [invited] });
    return (await teacher.get(`/api/admin/users?q=${invited.email}`)).body[0].lastName;
  },
  'the name in a registration request': async (text) => {
    const email = `${crypto.randomUUID()}@example.org`;
    await app.visitor().post('/api/register-request', { fullName: text, email });
    const requests = (await teacher.get('/api/admin/registration-requests')).body as Record<string, string>[];
    return requests.find((request) => request.email === email)!.fullName!;
  },
  'a recording’s title': async (text) =>
    (await student.form('/api/recordings', { title: text, audio })).body.title,
  'a melody’s title': async (text) =>
    (await teacher.form(`/api/melodies/${melody.id}`, { title: text }, put)).body.title,
  'a level’s name': async (text) =>
    (await teacher.put(`/api/admin/transmission-levels/${level.id}`, { name: text })).body.name,
};

const anyLine = Object.keys(lines);

test.each(anyLine)('%s becomes one line without invisible characters', async (line) => {
  const stored = await lines[line]!(
    ' Tashi\r\nBcc:\tall\u2028\u202eamloD\u202c\u0007\u2066Lhamo\u2069\u0085 ',
  );
  expect(stored).toBe('Tashi Bcc: all amloD Lhamo');
});

test.each(anyLine)('%s can contain Tibetan, and the joiners and marks of other scripts', async (line) => {
  for (const name of ['བཀྲ་ཤིས་སྒྲོལ་མ།', 'क्\u200dष नमस्\u200cते', 'שרה\u200f', 'Lhündrup  Dorje 🙏🏽'])
    expect(await lines[line]!(name)).toBe(name);
});

test('a name of invisible characters counts as empty', async () => {
  const reply = await teacher.post(
    '/api/admin/create-user-with-credentials',
    newUser({ firstName: '\u202e\u2066\r\n' }),
  );
  expect([reply.status, reply.body.message]).toEqual([
    400,
    'Please fill in all fields and select at least one transmission level.',
  ]);
});

test('stores a multi-line text as typed', async () => {
  const typed = 'Kyab su chi\n\n\tsangye chö\u202edang';
  const reply = await teacher.form(`/api/melodies/${melody.id}`, { melodyText: typed }, put);
  expect(reply.body.melodyText).toBe(typed);
});
