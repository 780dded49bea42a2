import { runSharedPhoneAttacks } from '../chaos/shared-phone-attacks.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// Runs some of the attacks of `npm run chaos -- two-people`.

test('neither signing out offline nor a logout link elsewhere leaks or loses data', async ({ world }) => {
  const attempts = ['a link to /api/logout on another site', 'signing out without a connection'] as const;
  expect(await runSharedPhoneAttacks(attempts, world)).toEqual([]);
});

test('if the service worker misses a sign-in, the previous user’s data stays hidden', async ({ world }) => {
  expect(await runSharedPhoneAttacks(['signing in unseen by the service worker'], world)).toEqual([]);
});
