import { expect, test } from 'vitest';
import { explainMissingDiskImage } from './harness/disk-image.ts';
import { injectDiskFaults } from './power-cuts.ts';
import { createKillFault, runServerKills, SERVER_FAULTS } from './server-kills.ts';

// Short versions of tests that `npm run chaos` runs at length.

const noDisk = await explainMissingDiskImage();
if (noDisk) console.log(`Power cuts are skipped: ${noDisk}`);

const seed = 'turns';

test('killing the server or its database under load loses no confirmed data', async () => {
  const names = [
    'server killed, chunk received',
    'server killed between a file and its row',
    'server killed, commit answered',
    'server and database killed',
    'sessions of the database ended',
  ];
  const faults = SERVER_FAULTS.filter(([name]) => names.includes(name));
  const runs = names.length;
  expect(faults).toHaveLength(runs);
  expect(await runServerKills({ faults, runs, seed })).toMatchObject({ runs, harm: [] });
});

test('without idempotency keys, killing the server duplicates a recording', async () => {
  const { harm } = await runServerKills({
    ...{ runs: 5, seed, untilHarmed: true, without: 'idempotency' },
    faults: [['commit answered', createKillFault({ call: 'commit', phase: 'answered' })]],
  });
  expect(harm).toContainEqual(expect.stringMatching(/recording .* is there 2 times/));
});

test('responding before a durable write loses a recording when the server is killed', async () => {
  const { harm } = await runServerKills({
    ...{ runs: 5, seed, untilHarmed: true, without: 'durable-order' },
    faults: [['commit requested', createKillFault({ call: 'commit', phase: 'requested' })]],
  });
  expect(harm).toContainEqual(expect.stringMatching(/recording .* was confirmed .* and is gone/));
});

test.skipIf(noDisk)('a power cut loses no confirmed data', async () => {
  const found = await injectDiskFaults({ disasters: ['power cut'], runs: 1, seed });
  expect(found).toMatchObject({ runs: 1, harm: [] });
});

test.skipIf(noDisk)('without fsync of files, a power cut loses confirmed data', async () => {
  const { harm } = await injectDiskFaults({
    ...{ disasters: ['power cut'], runs: 5, seed, untilHarmed: true },
    without: 'file-sync',
  });
  expect(harm).not.toEqual([]);
});
