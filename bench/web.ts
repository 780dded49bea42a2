import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { Client } from '../src/testing/client.ts';
import { startProgram } from '../src/testing/program.ts';
import { findChromium } from '../scripts/find-chromium.js';

/**
 * Measures the first load of the production build on the demo data, with Lighthouse's mobile settings, and prints it
 * beside our budgets. Each page is loaded several times; the median run by LCP counts.
 */
const RUNS = 3;
const DEBUG_PORT = 9333;

const bounds = {
  'sign-in': { path: '/', as: null, js: 80, lcp: 1400, tbt: 50, cls: 0 },
  home: { path: '/', as: 'tashi', js: null, lcp: null, tbt: null, cls: null },
  library: { path: '/melodies', as: 'tashi', js: 105, lcp: 2000, tbt: null, cls: 0.01 },
  player: { path: '/melodies?play=1', as: 'tashi', js: null, lcp: null, tbt: null, cls: null },
} as const;
/** Of Lighthouse's own, of 100. */
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;

const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-bench-'));
execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: 'inherit' });
const program = await startProgram({ dataDir, main: 'dist/web/.server/main.demo.js' });
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--remote-debugging-port=${DEBUG_PORT}`,
  ],
});
let isWithin = true;
try {
  for (const [name, bound] of Object.entries(bounds)) {
    const cookie = bound.as ? await cookieOf(bound.as) : null;
    const runs = [];
    for (let i = 0; i < RUNS; i += 1) runs.push(await measure(program.url + bound.path, cookie));
    const { js, lcp, tbt, cls, scores } = runs.sort((a, b) => a.lcp - b.lcp)[Math.floor(RUNS / 2)]!;
    report(name, [
      ['JS', js / 1024, bound.js, 'KB'],
      ['LCP', lcp, bound.lcp, 'ms'],
      ['TBT', tbt, bound.tbt, 'ms'],
      ['CLS', cls, bound.cls, ''],
    ]);
    reportScores(scores);
  }
} finally {
  await browser.close();
  await program.end();
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = isWithin ? 0 : 1;

async function cookieOf(username: string) {
  const client = new Client(program.url);
  await client.post('/api/login', { username, password: 'lotus-in-the-lake' });
  return `session=${client.cookies.get('session')}`;
}

async function measure(url: string, cookie: string | null) {
  const { audits, categories } = await lighthouse(url, cookie);
  const requests = audits['network-requests']!.details!;
  const js = requests.items
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + transferSize, 0);
  const value = (id: string) => audits[id]?.numericValue ?? NaN;
  return {
    js,
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    scores: Object.entries(SCORES).map(([id, least]) => {
      const { score, auditRefs } = categories[id]!;
      const failed = auditRefs.filter(
        ({ id: audit, weight }) => weight > 0 && (audits[audit]?.score ?? 1) < 0.9,
      );
      return {
        id,
        least,
        score: Math.round((score ?? 0) * 100),
        failed: failed.map(({ id: audit }) => audit),
      };
    }),
  };
}

type LighthouseResult = {
  audits: Record<
    string,
    {
      score: number | null;
      numericValue?: number;
      details?: { items: { resourceType: string; transferSize: number }[] };
    }
  >;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
};

/** Fetched by npx on first use: nothing else needs its 69 packages. */
async function lighthouse(url: string, cookie: string | null): Promise<LighthouseResult> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['--yes', 'lighthouse@13.5.0', url, '--quiet', '--output=json', `--port=${DEBUG_PORT}`],
      `--only-categories=${Object.keys(SCORES).join(',')}`,
      ...(cookie ? [`--extra-headers=${JSON.stringify({ cookie })}`] : []),
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as LighthouseResult;
}

function reportScores(scores: Awaited<ReturnType<typeof measure>>['scores']) {
  for (const { id, least, score, failed } of scores) {
    const holds = score >= least;
    isWithin &&= holds;
    console.log(`  ${id} ${score} of 100${holds ? '' : `  TOO LITTLE: ${failed.join(', ')}`}`);
  }
}

function report(name: string, rows: [what: string, value: number, bound: number | null, unit: string][]) {
  console.log(`\n${name}`);
  for (const [what, value, bound, unit] of rows) {
    const digits = unit === '' ? 4 : unit === 'ms' ? 0 : 1;
    const holds = bound === null || value <= bound;
    isWithin &&= holds;
    const against = bound === null ? '' : `of ${bound} ${unit} allowed${holds ? '' : '  TOO MUCH'}`;
    console.log(`  ${what.padEnd(4)} ${value.toFixed(digits).padStart(8)} ${unit.padEnd(6)} ${against}`);
  }
}
