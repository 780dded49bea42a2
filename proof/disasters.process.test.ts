import { expect, test } from 'vitest';
import { proveDisasters, type Disaster } from './disasters.ts';
import { whyNoDiskImage } from './disk-image.ts';

// One run of each, which `npm run proof:lost` repeats at length.

const noDisk = await whyNoDiskImage();
if (noDisk) console.log(`Power cuts are skipped: ${noDisk}`);

const KILLS: Disaster[] = [
  'server and database killed',
  'database killed',
  'sessions of the database ended',
  'told to end',
];

test('several people at work at once keep what was confirmed, whatever kills program or database', async () => {
  const found = await proveDisasters({ disasters: KILLS, runs: KILLS.length, seed: 'turns' });
  expect(found).toMatchObject({ runs: KILLS.length, lost: [], duplicates: 0, orphans: 0 });
});

test.skipIf(noDisk)('after a power cut everything confirmed is there', async () => {
  const found = await proveDisasters({ disasters: ['power cut'], runs: 2, seed: 'turns' });
  expect(found).toMatchObject({ runs: 2, lost: [], duplicates: 0, orphans: 0 });
});

test.skipIf(noDisk)('the proof detects what a power cut destroys if files are not fsynced', async () => {
  const found = await proveDisasters({
    disasters: ['power cut'],
    runs: 5,
    seed: 'turns',
    without: 'file-sync',
    untilFound: true,
  });
  expect(found.lost).not.toEqual([]);
});
