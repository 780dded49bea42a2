import { beforeEach, expect, test, vi } from 'vitest';

const asked = vi.hoisted(() => ({ signedIn: 'a', last: '' }));
vi.mock('./call.ts', async (original) => ({
  ...(await original<object>()),
  call: () => Promise.resolve({ id: asked.signedIn }),
}));
vi.mock('./offline/last-user.ts', () => ({
  lastUser: () => (asked.last === '' ? null : { id: asked.last }),
}));
const { checkKnownUser, confirmSessionUser, OtherUserError } = await import('./session-guard.ts');

beforeEach(async () => {
  Object.assign(asked, { signedIn: 'a', last: 'a' });
  await confirmSessionUser('a');
});

test('who is still signed in may send', async () => {
  await expect(confirmSessionUser('a')).resolves.toBeUndefined();
  expect(() => checkKnownUser('a')).not.toThrow();
  asked.last = '';
  expect(() => checkKnownUser('a')).not.toThrow();
});

test('nothing goes out in the name of somebody else, and it is said why', async () => {
  asked.signedIn = 'b';
  await expect(confirmSessionUser('a')).rejects.toMatchObject({
    serverMessage: 'Somebody else has signed in in this browser. Sign in again to send it.',
  });
  // What the server has said holds for a page that is left, too.
  expect(() => checkKnownUser('a')).toThrow(OtherUserError);
});

test('a page that is left sees who has signed in in another tab', () => {
  asked.last = 'b';
  expect(() => checkKnownUser('a')).toThrow(OtherUserError);
});
