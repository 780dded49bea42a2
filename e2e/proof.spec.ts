import { type Phase, proveBrowser } from '../proof/browser-kills.ts';
import { sendOverPoorConnection } from '../proof/poor-connection.ts';
import { expect, test, type World } from './fixtures.ts';

test.use({ sharesWorld: true });

// A few turns of `npm run proof:lost`, which does this at length.

const communityOf = ({ url, student, as }: World) => ({ url, newStudent: () => student(), as });

const turns = [
  { seed: 'journey 219', phases: ['recording', 'committed, unheard'] },
  { seed: 'journey 48', phases: ['stopping', 'between two chunks'] },
] satisfies { seed: string; phases: Phase[] }[];

for (const { seed, phases } of turns)
  test(`a browser that is killed (${phases.join('; ')}) loses at most a second, and sends nothing twice`, async ({
    world,
  }) => {
    const found = await proveBrowser({ community: communityOf(world), runs: 2, seed, phases });
    expect(found).toMatchObject({ runs: 2, lost: [], duplicates: 0, orphans: 0 });
  });

test('the proof sees what is lost where the device keeps nothing', async ({ world }) => {
  const found = await proveBrowser({
    community: communityOf(world),
    runs: 1,
    seed: 'journey 219',
    phases: ['recording'],
    without: 'device-store',
  });
  expect(found.lost).not.toEqual([]);
});

test('over a poor connection that is cut again and again, a file arrives whole and once', async ({
  world,
}) => {
  const arrival = await sendOverPoorConnection({
    community: communityOf(world),
    songSeconds: 8,
    cutEveryBytes: 150_000,
    patienceMs: 180_000,
  });
  expect(arrival).toMatchObject({ recordings: 1, isWhole: true });
  expect(arrival.cuts).toBeGreaterThanOrEqual(3);
});
