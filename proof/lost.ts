import { parseArgs } from 'node:util';
import makeMicrophoneFile from '../e2e/microphone.ts';
import { whyNoCeph } from '../src/testing/ceph.ts';
import { whyNoNginx } from '../src/testing/nginx.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { proveBrowser, type BrowserSafety } from './browser-kills.ts';
import { communityAt, TEACHER, type Community } from './community.ts';
import { whyNoDiskImage } from './disk-image.ts';
import {
  DISASTERS,
  DISK_SAFETIES,
  ON_A_DISK,
  isOfDisk,
  proveDisasters,
  type DiskSafety,
} from './disasters.ts';
import { isProven, type Findings } from './findings.ts';
import { sendOverPoorConnection } from './poor-connection.ts';
import type { ServerSafety } from './sender.ts';
import { proveServer } from './server-kills.ts';
import { proveServerUnderBrowser } from './server-under-browser.ts';
import { proveTwoProcesses } from './two-processes.ts';

// Proves that nothing is lost:
// npm run proof:lost -- [--runs=30] [--server-runs=50] [--browser-server-runs=5] [--disaster-runs=28] [--process-runs=8]
//   [--seed=…] [--without=…]
// npm run proof:lost -- server [--kills=100] [--seed=…]
// With `server`, only servers and databases are killed, each shape of them so many times: one process, and two processes
// with media on disk and in S3. With --without, one safety is disabled from outside, and the proof has to detect the loss.

const SAFETIES = ['device-store', 'idempotency', 'durable-order', ...DISK_SAFETIES] as const;
type Safety = BrowserSafety | ServerSafety | DiskSafety;

/** How many runs a proof has to detect a missing safety: every moment occurs in them. */
const RUNS_WITHOUT = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '100' },
    runs: { type: 'string', default: '30' },
    'server-runs': { type: 'string', default: '50' },
    'browser-server-runs': { type: 'string', default: '5' },
    'disaster-runs': { type: 'string', default: '28' },
    'process-runs': { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    without: { type: 'string' },
  },
});
const { seed } = values;
const without = SAFETIES.find((each) => each === values.without);
if (values.without && !without) throw new Error(`--without is one of ${SAFETIES.join(', ')}.`);
const isServerAlone = positionals[0] === 'server';
if (positionals.length > (isServerAlone ? 1 : 0)) throw new Error('What to prove is all, or `server`.');
const tell = (sentence: string) => console.log(`  ${sentence}`);

console.log(`Seed ${seed}`);
const noDisk = await whyNoDiskImage();
if (noDisk) console.log(`Power cuts and full disks are skipped: ${noDisk}`);
makeMicrophoneFile();
const held = without
  ? [await failsWithout(without)]
  : isServerAlone
    ? await serverAlone(Number(values.kills))
    : await all();
// What browsers that were killed have left open would keep this process alive.
process.exit(held.every(Boolean) ? 0 : 1);

async function all(): Promise<boolean[]> {
  const disasters = await proveDisasters({
    disasters: noDisk ? DISASTERS.filter((each) => !ON_A_DISK.has(each)) : DISASTERS,
    runs: Number(values['disaster-runs']),
    seed,
    tell,
  });
  const twoProcesses = await proveShapes(Number(values['process-runs']));
  const server = await proveServer({ runs: Number(values['server-runs']), seed, tell });
  const under = await proveServerUnderBrowser({ runs: Number(values['browser-server-runs']), seed, tell });
  const browser = await inCommunity((community) =>
    proveBrowser({ runs: Number(values.runs), seed, community, tell }),
  );
  const connection = await inCommunity(overPoorConnection);
  const removed: boolean[] = [];
  for (const safety of SAFETIES) if (!noDisk || !isOfDisk(safety)) removed.push(await failsWithout(safety));
  const proofs = {
    'many things at once': disasters,
    ...twoProcesses,
    server,
    'server, under a browser': under,
    browser,
  };
  show(proofs);
  return [...Object.values(proofs).map(isProven), connection, ...removed];
}

async function serverAlone(runs: number): Promise<boolean[]> {
  const proofs = { server: await proveServer({ runs, seed, tell }), ...(await proveShapes(runs)) };
  show(proofs);
  return Object.values(proofs).map(isProven);
}

/** Two processes, in each shape that this machine has the programs for. */
async function proveShapes(runs: number): Promise<Record<string, Findings>> {
  const missing = { 'on disk': whyNoNginx(), 'in S3': whyNoNginx() ?? whyNoCeph() };
  const proofs: Record<string, Findings> = {};
  for (const media of ['on disk', 'in S3'] as const) {
    if (missing[media]) console.log(`Two processes with media ${media} are skipped: ${missing[media]}`);
    else proofs[`two processes, media ${media}`] = await proveTwoProcesses({ runs, seed, media, tell });
  }
  return proofs;
}

/** Two minutes of song over a poor connection, as the recorder makes them. */
async function overPoorConnection(community: Community): Promise<boolean> {
  const arrival = await sendOverPoorConnection({
    community,
    songSeconds: 120,
    cutEveryBytes: 2_500_000,
    patienceMs: 300_000,
  });
  const { seconds, cuts, recordings, isWhole } = arrival;
  console.log(
    `Two minutes over 1.6 Mbit/s, 300 ms, cut every 2.5 MB: there after ${seconds.toFixed(0)} s and ${cuts} cuts, ` +
      `${recordings} time(s), ${isWhole ? 'byte for byte' : 'NOT AS SENT'}`,
  );
  return recordings === 1 && isWhole;
}

/** Whether the proof detects what it must. */
async function failsWithout(safety: Safety): Promise<boolean> {
  const found = await foundWithout(safety);
  const sees = !isProven(found);
  const what = found.lost[0] ?? `${found.duplicates} duplicates, ${found.orphans} orphans`;
  console.log(
    sees
      ? `Without ${safety} it fails, as it must, in run ${found.runs}: ${what}`
      : `Without ${safety} IT STILL PASSES: the proof is blind`,
  );
  return sees;
}

function foundWithout(safety: Safety): Promise<Findings> {
  const briefly = { runs: RUNS_WITHOUT, seed, untilFound: true };
  if (isOfDisk(safety)) {
    const disasters = [safety === 'write-errors' ? 'disk full' : 'power cut'] as const;
    return proveDisasters({ ...briefly, disasters, without: safety });
  }
  if (safety !== 'device-store') return proveServer({ ...briefly, without: safety });
  return inCommunity((community) => proveBrowser({ ...briefly, community, without: safety }));
}

async function inCommunity<T>(use: (community: Community) => Promise<T>): Promise<T> {
  const { dataDir, remove } = await newDataFolder();
  const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: TEACHER.password } });
  try {
    return await use(await communityAt(program.url));
  } finally {
    await program.end();
    await remove();
  }
}

function show(proofs: Record<string, Findings>) {
  const rows = Object.entries(proofs).map(([name, findings]) => ({
    'what is killed': name,
    runs: findings.runs,
    'longest loss (s)': Number(findings.longestLossSeconds.toFixed(3)),
    lost: findings.lost.length,
    duplicates: findings.duplicates,
    orphans: findings.orphans,
    'swept after a kill': findings.swept,
  }));
  const kills = Object.entries(proofs).flatMap(([name, { kills }]) =>
    Object.entries(kills).flatMap(([phase, states]) =>
      Object.entries(states)
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([state, count]) => ({ 'what is killed': name, phase, 'what was found': state, kills: count })),
    ),
  );
  console.table(rows);
  console.table(kills);
  for (const [name, { lost }] of Object.entries(proofs))
    for (const sentence of lost) tell(`${name}: ${sentence}`);
}
