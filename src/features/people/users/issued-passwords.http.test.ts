import { desc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails, users } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { parseMailedCredentials } from '#testing/mails.ts';
import { ISSUED_PASSWORD_EXPIRED_MESSAGE } from '#features/accounts/limits.ts';

const app = await startTestApp();
const DAY_MS = 24 * 60 * 60 * 1000;
const teacher = await app.as(await app.make.teacher());
const level = await app.make.level('Open to All');

let last = 0;
const newPerson = () => ({
  ...{ email: `student${(last += 1)}@example.org`, firstName: 'Pema', lastName: 'Lhamo' },
  transmissionLevels: [level.id],
});
type Issued = { username: string; password: string };

async function readMailedCredentials(email: string): Promise<Issued> {
  const [mail] = await app.db
    .select()
    .from(mails)
    .where(eq(mails.recipient, email))
    .orderBy(desc(mails.id))
    .limit(1);
  return parseMailedCredentials(mail!);
}

const ways: Record<string, () => Promise<Issued>> = {
  async 'creating a user'() {
    const { body } = await teacher.post('/api/admin/create-user-with-credentials', newPerson());
    return { username: body.user.username, password: body.password };
  },
  async 'inviting a user'() {
    const person = newPerson();
    await teacher.post('/api/admin/invite-users', { invites: [person] });
    return readMailedCredentials(person.email);
  },
  async 'approving a request'() {
    const { id, email } = await app.make.request();
    await teacher.post('/api/admin/approve-user', { requestId: id, transmissionLevels: [level.id] });
    return readMailedCredentials(email);
  },
  async 'creating a new password'() {
    const { id, username } = await app.make.student();
    const { body } = await teacher.post(`/api/admin/users/${id}/password`);
    return { username, password: body.password };
  },
  async 'emailing a new password'() {
    const { id, email } = await app.make.student();
    const change = { userIds: [id], change: 'mail', clientId: crypto.randomUUID() };
    await teacher.post('/api/admin/users/changes', change);
    return readMailedCredentials(email);
  },
};

const signIn = async (given: Issued) => {
  const { status, body } = await app.visitor().post('/api/login', given);
  return status === 200 ? status : [status, (body as { message: string }).message];
};

test.each(Object.entries(ways))(
  'a password issued by %s expires if it is not used within 14 days',
  async (_, issue) => {
    const [used, unused] = [await issue(), await issue()];
    try {
      app.clock.advance(13 * DAY_MS);
      expect(await signIn(used)).toBe(200);
      app.clock.advance(2 * DAY_MS);
      expect(await signIn(used)).toBe(200);
      expect(await signIn(unused)).toEqual([403, ISSUED_PASSWORD_EXPIRED_MESSAGE]);
      expect(await signIn({ ...unused, password: 'not-this-one' })).toEqual([
        401,
        'Invalid username or password',
      ]);
    } finally {
      app.clock.reset();
    }
  },
);

test('the teacher sees when a password was issued, until it is used', async () => {
  const issued = await ways['creating a user']!();
  const [user] = await app.db.select().from(users).where(eq(users.username, issued.username));
  const listed = async () => (await teacher.get(`/api/admin/users/${user!.id}`)).body.passwordIssuedAt;
  expect(await listed()).toEqual(expect.any(String));
  await signIn(issued);
  expect(await listed()).toBeNull();
});

test('an expired issued password can’t be used to choose a new password', async () => {
  const student = await app.make.student();
  const { body } = await teacher.post(`/api/admin/users/${student.id}/password`);
  const client = await app.as(student);
  try {
    app.clock.advance(15 * DAY_MS);
    const given = { currentPassword: body.password, newPassword: 'snow on the high pass' };
    const reply = await client.post('/api/user/change-password', given);
    expect([reply.status, reply.body.message]).toEqual([400, ISSUED_PASSWORD_EXPIRED_MESSAGE]);
  } finally {
    app.clock.reset();
  }
});
