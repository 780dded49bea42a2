import { type Phase, killBrowsers } from '../chaos/browser-kills.ts';
import { cutForAMoment, sendDespite } from '../chaos/lost-connection.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// A few runs of what `npm run chaos` does at length.

const kills = [
  { seed: 'journey 219', phases: ['recording', 'committed, without the response'] },
  { seed: 'journey 48', phases: ['stopping', 'between two chunks'] },
] satisfies { seed: string; phases: Phase[] }[];

for (const { seed, phases } of kills)
  test(`a browser killed (${phases.join('; ')}) loses at most a second and sends nothing twice`, async ({
    world,
  }) => {
    const found = await killBrowsers({ community: world, runs: 2, seed, phases });
    expect(found).toMatchObject({ runs: 2, harm: [] });
  });

test('a browser killed loses its recording if the device stores nothing', async ({ world }) => {
  const found = await killBrowsers({
    community: world,
    runs: 1,
    seed: 'journey 219',
    phases: ['recording'],
    without: 'device-store',
  });
  expect(found.harm).not.toEqual([]);
});

test('a file arrives whole and once over a connection that is cut again and again', async ({ world }) => {
  const arrival = await sendDespite(cutForAMoment, {
    community: world,
    songSeconds: 8,
    everyBytes: 150_000,
    timeoutMs: 180_000,
  });
  expect(arrival).toMatchObject({ recordings: 1, isWhole: true });
  expect(arrival.troubles).toBeGreaterThanOrEqual(3);
});
