import { runSharedPhoneAttacks } from '../chaos/two-people.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// Runs those attempts of `npm run chaos -- two-people` that need a real browser and server.

test('signing out offline leaves nothing for the next user of the phone', async ({ world }) => {
  const attempts = ['a link to /api/logout on another site', 'signing out without a connection'] as const;
  expect(await runSharedPhoneAttacks(attempts, world)).toEqual([]);
});

test('a sign-in that the service worker misses shows nothing of the previous user', async ({ world }) => {
  expect(await runSharedPhoneAttacks(['signing in unseen by the service worker'], world)).toEqual([]);
});
