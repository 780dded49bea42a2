import { parseArgs } from 'node:util';
import createMicrophoneFile from '../e2e/microphone.ts';
import { explainMissingCeph } from '#testing/ceph.ts';
import { withCommunity } from '#testing/community.ts';
import { explainMissingNginx } from '#testing/nginx.ts';
import { runBrowserKills } from './browser-kills.ts';
import { explainMissingDiskImage } from './harness/disk-image.ts';
import type { Findings } from './harness/findings.ts';
import { runIpv6LockOutAttack } from './ipv6-lock-out.ts';
import {
  cutConnectionBriefly,
  submitDespiteInterruptions,
  type SubmissionOutcome,
} from './lost-connection.ts';
import { DISK_SAFEGUARDS, injectDiskFaults } from './power-cuts.ts';
import { runCommand } from '../scripts/run.js';
import { runServerKills } from './server-kills.ts';
import { runStarvationAttacks } from './starvation.ts';
import { runTakeoverAttack } from './takeover.ts';
import { runSharedPhoneAttacks, SHARED_PHONE_ATTACKS } from './shared-phone-attacks.ts';
import { runProcessKills } from './process-kills.ts';

// Runs chaos experiments ("disasters"), and exits with 1 if data is lost or something else goes wrong:
//
// npm run chaos -- [NAME…] [--runs=N] [--seconds=10] [--seed=…]
//
// If a safeguard against a disaster can be disabled, the disaster also runs without the safeguard. Then it
// must lose data; otherwise the test proves nothing.

/**
 * Maximum number of runs with a safeguard disabled, enough for every kind of fault to occur. At least one of
 * these runs must lose data, otherwise the test proves nothing.
 */
const RUNS_WITHOUT = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
const { seed } = values;
const tell = (sentence: string) => console.log(`  ${sentence}`);
const times = (byDefault: number) => ({ runs: Number(values.runs ?? byDefault), seed, report: tell });
const withoutSafety = { runs: RUNS_WITHOUT, seed, untilHarmed: true };
const forMs = Number(values.seconds) * 1_000;

/**
 * The disasters by name. Each returns sentences about what went wrong. If a disaster can't run on this machine,
 * it prints why and returns an empty list.
 */
const DISASTERS: Record<string, () => Promise<string[]>> = {
  'server-kills': async () => [
    ...harmOf(await runServerKills(times(56))),
    ...(await unlessHarmful('idempotency', runServerKills({ ...withoutSafety, without: 'idempotency' }))),
    ...(await unlessHarmful('durable-order', runServerKills({ ...withoutSafety, without: 'durable-order' }))),
  ],

  async 'power-cuts'() {
    const missing = await explainMissingDiskImage();
    if (missing) return skip(missing);
    const harm = harmOf(await injectDiskFaults({ ...times(8), disasters: ['power cut', 'disk full'] }));
    for (const without of DISK_SAFEGUARDS) {
      const disasters = [without === 'write-errors' ? 'disk full' : 'power cut'] as const;
      const running = injectDiskFaults({ ...withoutSafety, disasters: [...disasters], without });
      harm.push(...(await unlessHarmful(without, running)));
    }
    return harm;
  },

  async 'two-processes'() {
    const missing = explainMissingNginx();
    return missing ? skip(missing) : harmOf(await runProcessKills({ ...times(8), media: 'on disk' }));
  },

  async 'two-processes-s3'() {
    const missing = explainMissingNginx() ?? explainMissingCeph();
    return missing ? skip(missing) : harmOf(await runProcessKills({ ...times(8), media: 'in S3' }));
  },

  'browser-kills': () =>
    withCommunity(async (community) => {
      createMicrophoneFile();
      const without = 'device-store';
      return [
        ...harmOf(await runBrowserKills({ ...times(30), community })),
        ...(await unlessHarmful(without, runBrowserKills({ ...withoutSafety, community, without }))),
      ];
    }),

  async 'lost-connection'() {
    const twoMinutes = { songSeconds: 120, everyBytes: 2_500_000, timeoutMs: 300_000 };
    const cut = await withCommunity((community) =>
      submitDespiteInterruptions(cutConnectionBriefly, { community, ...twoMinutes }),
    );
    const killed = await withCommunity((community) =>
      submitDespiteInterruptions(() => community.restart('SIGKILL'), { community, ...twoMinutes }),
    );
    return [
      ...harmOfArrival('the connection was cut', cut),
      ...harmOfArrival('the server was killed', killed),
    ];
  },

  'two-people': () =>
    withCommunity(async (community) => {
      const harm: string[] = [];
      for (const attempt of SHARED_PHONE_ATTACKS) {
        const found = await runSharedPhoneAttacks([attempt], community);
        tell(`${attempt}: ${found.join(', ') || 'nothing went wrong'}`);
        harm.push(...found.map((what) => `${attempt}: ${what}`));
      }
      return harm;
    }),

  faults: () => runTests('faults', { FAULTS: 'all' }),

  histories: () => runTests('histories', { HISTORIES: values.runs ?? '10000' }),

  year: () => runTests('year', { DAYS: '365' }),

  takeover: () => withCommunity(runTakeoverAttack),

  'ipv6-lock-out': () =>
    withCommunity((community) => runIpv6LockOutAttack(community, forMs), { TRUST_PROXY: '1' }),

  starvation: () => withCommunity((community) => runStarvationAttacks(community, forMs)),
};

const unknown = positionals.filter((name) => !DISASTERS[name]);
if (unknown.length > 0) throw new Error(`NAME is one of ${Object.keys(DISASTERS).join(', ')}.`);
console.log(`Seed ${seed}`);
const outcomes: [string, string[]][] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(DISASTERS)) {
  console.log(`\n${name}`);
  outcomes.push([name, await DISASTERS[name]!()]);
}
console.log('');
for (const [name, harm] of outcomes) {
  console.log(`${harm.length === 0 ? 'holds' : 'FAILS'}  ${name}`);
  harm.forEach(tell);
}
// Exits explicitly, because killed browsers leave handles open that would keep this process alive.
process.exit(outcomes.every(([, harm]) => harm.length === 0) ? 0 : 1);

function harmOf(findings: Findings): string[] {
  console.table(findings.faults);
  return findings.harm;
}

function harmOfArrival(
  trouble: string,
  { seconds, troubles, recordings, isWhole }: SubmissionOutcome,
): string[] {
  tell(`two minutes of song arrived after ${seconds.toFixed(0)} s; ${trouble} ${troubles} times`);
  return recordings === 1 && isWhole ? [] : [`${trouble}: the song did not arrive whole and once`];
}

/**
 * Returns a sentence saying that the disaster lost nothing although this safeguard was disabled; an empty
 * list if it lost data.
 */
async function unlessHarmful(safety: string, running: Promise<Findings>): Promise<string[]> {
  const { runs, harm } = await running;
  tell(`without ${safety}: ${harm[0] ? `harm, as it must be, in run ${runs}: ${harm[0]}` : 'NO HARM'}`);
  return harm[0] ? [] : [`it does no harm without ${safety}, so it proves nothing`];
}

/** Runs tests of the server with these variables, which make them longer. */
async function runTests(name: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const file = `src/app/server/${name}.http.test.ts`;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'http', '--reporter=dot', file];
  const code = await runCommand(process.execPath, args, { env: { ...process.env, ...environment } });
  return code === 0 ? [] : [`the tests in ${file} fail`];
}

function skip(reason: string): string[] {
  tell(`skipped: ${reason}`);
  return [];
}
