import { beforeEach, expect, test, vi } from 'vitest';
import { signInApi } from '#features/accounts/sign-in/contract.ts';
import { user } from '#features/accounts/contract.ts';
import { interceptSessionChange, SIGN_IN_PATH_PATTERN } from './session-changes.ts';

const HERE = 'https://yangchen.example';
let seen: (string | null)[] = [];
const onUser = (userId: string | null) => {
  seen.push(userId);
  return Promise.resolve();
};
const send = async (path: string, status: number, method = 'POST') => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ id: 'pema' }, { status })));
  await interceptSessionChange(new Request(HERE + path, { method }), onUser);
  return seen;
};

beforeEach(() => (seen = []));

test.each(['/api/login', '/api/sign-in/one-time', '/api/sign-in/passkey'])(
  'reports the user who signs in at %s only after the server accepts the sign-in',
  async (path) => {
    expect(await send(path, 401)).toEqual([]);
    expect(await send(path, 200)).toEqual(['pema']);
  },
);

test('SIGN_IN_PATH_PATTERN matches every endpoint that signs a user in', () => {
  const ways = Object.values(signInApi).filter(
    ({ access, answers }) => access === 'public' && 200 in answers && answers[200] === user,
  );
  expect(ways.length).toBeGreaterThan(2);
  for (const { path } of ways) expect(path).toMatch(SIGN_IN_PATH_PATTERN);
});

test('reports a sign-out only after the server has ended the session', async () => {
  expect(await send('/api/logout', 503)).toEqual([]);
  expect(await send('/api/logout', 200)).toEqual([null]);
});

test.each([
  ['GET', '/api/logout'],
  ['POST', '/api/sign-in/one-time/owner'],
  ['POST', '/api/sign-in/link'],
])('does not report %s %s as a sign-in or sign-out', async (method, path) => {
  expect(await send(path, 200, method)).toEqual([]);
});
