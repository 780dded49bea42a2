import { beforeEach, expect, test, vi } from 'vitest';

const asked = vi.hoisted(() => ({ signedIn: 'a', last: '' }));
vi.mock('./call.ts', async (original) => ({
  ...(await original<object>()),
  call: () => Promise.resolve({ id: asked.signedIn }),
}));
vi.mock('./offline/last-user.ts', () => ({
  lastUser: () => (asked.last === '' ? null : { id: asked.last }),
}));
const { mustSeemToBe, mustStillBe, SomebodyElse } = await import('./still-signed-in.ts');

beforeEach(async () => {
  Object.assign(asked, { signedIn: 'a', last: 'a' });
  await mustStillBe('a');
});

test('who is still signed in may send', async () => {
  await expect(mustStillBe('a')).resolves.toBeUndefined();
  expect(() => mustSeemToBe('a')).not.toThrow();
  asked.last = '';
  expect(() => mustSeemToBe('a')).not.toThrow();
});

test('nothing goes out in the name of somebody else, and it is said why', async () => {
  asked.signedIn = 'b';
  await expect(mustStillBe('a')).rejects.toMatchObject({
    serverMessage: 'Somebody else has signed in in this browser. Sign in again to send it.',
  });
  // What the server has said holds for a page that is left, too.
  expect(() => mustSeemToBe('a')).toThrow(SomebodyElse);
});

test('a page that is left sees who has signed in in another tab', () => {
  asked.last = 'b';
  expect(() => mustSeemToBe('a')).toThrow(SomebodyElse);
});
