import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TestClient } from '#testing/client.ts';
import { createDataFolder, startProgram } from '#testing/program.ts';
import { launchChromium, reportMeasurement } from './harness.ts';
import { measureLibraryPage } from './web-library.ts';
import { measurePlayer } from './web-player.ts';

// Measures the production build in Chromium: the first load with Lighthouse's mobile settings, a library of
// 2,000 melodies, the practice player, and both on a poor connection. An argument restricts the run to the part
// with that name.

const RUNS = 3;
const DEBUG_PORT = 9333;

/**
 * Maximum JavaScript (in KiB, compressed), LCP and TBT (in ms), and layout shift; null for no limit. React
 * and the query client make up four fifths of the sign-in page's scripts.
 */
const pages = {
  'sign-in': { path: '/', as: null, js: 80, lcp: 1400, tbt: 50, cls: 0 },
  home: { path: '/', as: 'tashi', js: null, lcp: null, tbt: null, cls: null },
  library: { path: '/melodies', as: 'tashi', js: 105, lcp: 2000, tbt: null, cls: 0.01 },
  player: { path: '/melodies?play=1', as: 'tashi', js: null, lcp: null, tbt: null, cls: null },
} as const;
/** Minimum Lighthouse scores, out of 100. */
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;

const parts = { 'first-load': measureFirstLoad, library: measureLibraryPage, player: measurePlayer };
const [only] = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) if (!only || only === name) await measure();

/** Loads each page several times, and reports the load with the median LCP. */
async function measureFirstLoad() {
  const { dataDir, remove } = await createDataFolder();
  const program = await startProgram({ dataDir, main: 'dist/web/.server/main.demo.js' });
  const browser = await launchChromium([`--remote-debugging-port=${DEBUG_PORT}`]);
  try {
    for (const [name, bound] of Object.entries(pages)) {
      const cookie = bound.as ? await fetchCookie(program.url, bound.as) : null;
      const runs = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await loadPage(program.url + bound.path, cookie));
      const { js, lcp, tbt, cls, scores } = runs.sort((a, b) => a.lcp - b.lcp)[RUNS >> 1]!;
      const most = (value: number | null) => (value === null ? null : { max: value });
      reportMeasurement(`${name}: JavaScript`, js / 1024, most(bound.js), 'KiB');
      reportMeasurement(`${name}: largest paint`, lcp, most(bound.lcp), 'ms');
      reportMeasurement(`${name}: blocked`, tbt, most(bound.tbt), 'ms');
      reportMeasurement(`${name}: layout shift`, cls, most(bound.cls), '');
      for (const { id, least, score, failed } of scores)
        reportMeasurement(`${name}: ${id}`, score, { min: least }, 'of 100', failed.join(', '));
    }
  } finally {
    await browser.close();
    await program.end();
    await remove();
  }
}

async function fetchCookie(url: string, username: string) {
  const client = new TestClient(url);
  await client.post('/api/login', { username, password: 'lotus-in-the-lake' });
  return `session=${client.cookies.get('session')}`;
}

async function loadPage(url: string, cookie: string | null) {
  const { audits, categories } = await runLighthouse(url, cookie);
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
      const failed = auditRefs.filter((audit) => audit.weight > 0 && (audits[audit.id]?.score ?? 1) < 0.9);
      return { id, least, score: Math.round((score ?? 0) * 100), failed: failed.map((audit) => audit.id) };
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

/** Runs Lighthouse, which npx downloads on first use, because nothing else needs its 69 packages. */
async function runLighthouse(url: string, cookie: string | null): Promise<LighthouseResult> {
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
