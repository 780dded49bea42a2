import { runBrowserKills } from '../chaos/browser-kills.ts';
import { cutConnectionBriefly, submitDespiteInterruptions } from '../chaos/lost-connection.ts';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// Short versions of tests that `npm run chaos` runs at length.

test('killing the browser while it records loses at most one second of audio', async ({ world }) => {
  const found = await runBrowserKills({
    community: world,
    runs: 1,
    seed: 'journey 219',
    phases: ['recording'],
  });
  expect(found).toMatchObject({ runs: 1, harm: [] });
});

test('an upload over a connection that keeps breaking arrives once and complete', async ({ world }) => {
  const arrival = await submitDespiteInterruptions(cutConnectionBriefly, {
    community: world,
    songSeconds: 8,
    everyBytes: 150_000,
    timeoutMs: 180_000,
  });
  expect(arrival).toMatchObject({ recordings: 1, isWhole: true });
  expect(arrival.troubles).toBeGreaterThanOrEqual(3);
});
