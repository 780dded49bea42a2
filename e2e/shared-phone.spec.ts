import { type Attempt, proveTwoPeople } from '../proof/two-people.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// Those of `npm run proof:attack` that only the whole can show.
const attempts: Attempt[] = [
  'signing out without a connection',
  'signing in unseen by the service worker',
  'a link to /api/logout on another site',
];

for (const attempt of attempts)
  test(`two people on one phone: ${attempt}`, async ({ world }) => {
    const { url, as, teacher } = world;
    const community = { url, as, newStudent: () => world.student() };
    expect(await proveTwoPeople(attempt, { community, teacher })).toEqual([]);
  });
