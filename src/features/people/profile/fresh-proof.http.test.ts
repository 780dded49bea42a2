import { expect, test } from 'vitest';
import { allEndpoints } from '#app/api.ts';
import { passkeys } from '#server/db/schema.ts';
import { IDENTITY_PROOF_LIFETIME_MS, IDENTITY_PROOF_NEEDED_MESSAGE } from '#shared/identity-proof.ts';
import { TEST_SESSION_DETAILS, startTestApp } from '#testing/app.ts';
import { FakeAuthenticator } from '#testing/fake-authenticator.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { TestClient } from '#testing/client.ts';
import {
  PASSKEY_REQUIRED_MESSAGE,
  PASSKEY_OF_OTHER_USER_MESSAGE,
} from '#features/accounts/passkeys/limits.ts';

const ORIGIN = 'http://songs.example:8080';
const app = await startTestApp({ environment: { PUBLIC_URL: ORIGIN } });

const NEEDED = {
  message: IDENTITY_PROOF_NEEDED_MESSAGE,
  issues: [{ path: 'proof', message: IDENTITY_PROOF_NEEDED_MESSAGE }],
};

/** Returns a client whose session lacks a fresh proof of identity, like that of a stolen cookie. */
async function createUnprovedClient(user: { id: string }) {
  const client = new TestClient(app.url);
  const beginning = { ...TEST_SESSION_DETAILS, isProved: false };
  client.cookies.set('session', await app.services.sessions.start(user.id, beginning, app.clock.now()));
  return client;
}

const challenge = async (client: TestClient) =>
  (await client.post('/api/passkeys/challenge')).body as Parameters<FakeAuthenticator['answer']>[0];

async function withPasskey(user: { id: string }) {
  const client = await app.as(user);
  const phone = new FakeAuthenticator(ORIGIN);
  const { body } = await client.post('/api/user/passkeys/challenge');
  const made = { name: 'My phone', passkey: phone.create(body) };
  expect((await client.post('/api/user/passkeys', made)).status).toBe(201);
  return { client, phone };
}

async function makePasskey({ id: userId }: { id: string }) {
  const row = { userId, credentialId: crypto.randomUUID(), publicKey: 'none', counter: 0, name: 'Phone' };
  const [made] = await app.db.insert(passkeys).values(row).returning({ id: passkeys.id });
  return made!.id;
}

/**
 * For each sensitive endpoint: the role of the caller, a request, and the response status after a proof of
 * identity.
 */
const sensitive: Record<
  string,
  ['student' | 'admin', (client: TestClient, own: { id: string }) => Promise<{ status: number }>, number]
> = {
  'POST /api/user/passkeys/challenge': [
    'student',
    (client) => client.post('/api/user/passkeys/challenge'),
    200,
  ],
  'POST /api/user/passkeys': [
    'student',
    async (client) => {
      const { body } = await client.post('/api/user/passkeys/challenge');
      const creation = body.rp ? body : { challenge: 'x', rp: { id: 'songs.example' }, user: { id: 'x' } };
      const passkey = new FakeAuthenticator(ORIGIN).create(creation);
      return client.post('/api/user/passkeys', { name: 'Phone', passkey });
    },
    201,
  ],
  'DELETE /api/user/passkeys/{id}': [
    'student',
    async (client, own) => client.delete(`/api/user/passkeys/${await makePasskey(own)}`),
    200,
  ],
  'DELETE /api/admin/users/{id}/passkeys': [
    'admin',
    async (client) => client.delete(`/api/admin/users/${(await app.make.student()).id}/passkeys`),
    200,
  ],
  'POST /api/user/sign-in-codes': ['admin', (client) => client.post('/api/user/sign-in-codes'), 201],
  'POST /api/admin/users/{id}/sign-in-codes': [
    'admin',
    async (client) => client.post(`/api/admin/users/${(await app.make.student()).id}/sign-in-codes`),
    201,
  ],
  'POST /api/admin/users/{id}/password': [
    'admin',
    async (client) => client.post(`/api/admin/users/${(await app.make.student()).id}/password`),
    201,
  ],
  'POST /api/admin/mail/{id}/text': [
    'admin',
    async (client) => client.post(`/api/admin/mail/${(await app.make.mail()).id}/text`),
    200,
  ],
  'POST /api/admin/mail/outbox/texts': [
    'admin',
    (client) => client.post('/api/admin/mail/outbox/texts', { batch: crypto.randomUUID() }),
    200,
  ],
};

test('this file tests every endpoint that needs a fresh proof of identity', () => {
  const flagged = allEndpoints.filter(({ needsFreshProof }) => needsFreshProof);
  expect(flagged.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    Object.keys(sensitive).sort(),
  );
});

test.each(Object.entries(sensitive))(
  '%s requires a fresh proof of identity',
  async (_name, [role, send, status]) => {
    const user = role === 'admin' ? await app.make.teacher() : await app.make.student();
    const client = await createUnprovedClient(user);
    expect(await send(client, user)).toMatchObject({ status: 403, body: NEEDED });
    expect((await client.post('/api/user/proof', { password: TEST_PASSWORD })).status).toBe(200);
    expect((await send(client, user)).status).toBe(status);
  },
);

test('a proof of identity is valid for five minutes and only in its session', async () => {
  const student = await app.make.student();
  const [client, other] = [await app.as(student), await createUnprovedClient(student)];
  const add = async (from: TestClient) => (await from.post('/api/user/passkeys/challenge')).status;
  expect([await add(client), await add(other)]).toEqual([200, 403]);
  try {
    app.clock.advance(IDENTITY_PROOF_LIFETIME_MS);
    expect(await add(client)).toBe(403);
    await client.post('/api/user/proof', { password: TEST_PASSWORD });
    expect(await add(client)).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('rejects a wrong password as proof, and any password after ten attempts', async () => {
  const client = await createUnprovedClient(await app.make.student());
  const prove = (password?: string) => client.post('/api/user/proof', { password });
  expect(await prove()).toMatchObject({ status: 400, body: { issues: [{ path: 'password' }] } });
  for (let tries = 1; tries < 10; tries += 1) expect((await prove('wrong')).status).toBe(400);
  expect((await client.post('/api/user/passkeys/challenge')).body).toEqual(NEEDED);
  expect((await prove(TEST_PASSWORD)).status).toBe(429);
});

test('accepts only the user’s own passkey as a proof of identity', async () => {
  const student = await app.make.student();
  const { phone } = await withPasskey(student);
  const { phone: others } = await withPasskey(await app.make.student());
  const client = await createUnprovedClient(student);
  const prove = async (by: FakeAuthenticator) =>
    client.post('/api/user/proof', { passkey: by.answer(await challenge(client)) });
  expect((await prove(others)).body).toMatchObject({ message: PASSKEY_OF_OTHER_USER_MESSAGE });
  expect((await client.post('/api/user/passkeys/challenge')).status).toBe(403);
  expect((await prove(phone)).status).toBe(200);
  expect((await client.post('/api/user/passkeys/challenge')).status).toBe(200);
});

test('a teacher with a second factor can’t prove her identity with a password', async () => {
  const teacher = await app.make.teacher();
  const { client: own, phone } = await withPasskey(teacher);
  const passkey = phone.answer(await challenge(own));
  expect((await own.put('/api/user/passkey-second-factor', { isOn: true, passkey })).status).toBe(200);
  const client = await createUnprovedClient(teacher);
  const add = async () => (await client.post('/api/user/passkeys/challenge')).status;
  const refused = await client.post('/api/user/proof', { password: TEST_PASSWORD });
  expect([refused.status, refused.body.message]).toEqual([403, PASSKEY_REQUIRED_MESSAGE]);
  const passwords = { currentPassword: TEST_PASSWORD, newPassword: 'a-lotus-of-my-own' };
  expect((await client.post('/api/user/change-password', passwords)).status).toBe(200);
  expect(await add()).toBe(403);
  await client.post('/api/user/proof', { passkey: phone.answer(await challenge(client)) });
  expect(await add()).toBe(200);
});

test('changing a student’s email requires a proof, but changing the name does not', async () => {
  const { id, email } = await app.make.student();
  const client = await createUnprovedClient(await app.make.teacher());
  const change = (to: object) =>
    client.put(`/api/admin/users/${id}`, { firstName: 'Pema', lastName: null, email, ...to });
  expect((await change({})).status).toBe(200);
  const moved = { email: 'elsewhere@example.org' };
  expect(await change(moved)).toMatchObject({ status: 403, body: NEEDED });
  await client.post('/api/user/proof', { password: TEST_PASSWORD });
  expect((await change(moved)).status).toBe(200);
});

test('a student can show a sign-in code without a fresh proof of identity', async () => {
  const client = await createUnprovedClient(await app.make.student());
  expect((await client.post('/api/user/sign-in-codes')).status).toBe(201);
});
