import { type Attempt, shareOnePhone } from '../chaos/two-people.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// The attempts of `npm run chaos -- two-people` that need a whole browser and server.
const attempts: Attempt[] = [
  'signing out without a connection',
  'signing in unseen by the service worker',
  'a link to /api/logout on another site',
];

for (const attempt of attempts)
  test(`two people on one phone: ${attempt}`, async ({ world }) => {
    expect(await shareOnePhone(attempt, world)).toEqual([]);
  });
