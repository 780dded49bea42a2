import { shareOnePhone } from '../chaos/two-people.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// The attempts of `npm run chaos -- two-people` that need a real browser and server.

test('signing out without a connection gives nothing to the next user of the phone', async ({ world }) => {
  const attempts = ['a link to /api/logout on another site', 'signing out without a connection'] as const;
  expect(await shareOnePhone(attempts, world)).toEqual([]);
});

test('signing in unseen by the service worker gets nothing of the user before', async ({ world }) => {
  expect(await shareOnePhone(['signing in unseen by the service worker'], world)).toEqual([]);
});
