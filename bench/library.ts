import { execFileSync } from 'node:child_process';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { findChromium } from '../scripts/find-chromium.js';
import { searchedText } from '../src/features/melodies/search.ts';
import { finder } from '../src/platform/web/finder.ts';
import type { Melody } from '../src/features/melodies/contract.ts';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';

/**
 * Measures the library with two thousand melodies, each with words and a picture, in the production build, with the CPU
 * throttled as Lighthouse does for a phone. Each number is compared with that of a library of twenty, in the same
 * program and run: trust the ratio.
 */
const MANY = 2_000;
const FEW = 20;
const SLOWER = 4;
const PASSWORD = 'teacher-pass';
/** Typed letter by letter, as fast as people do. */
const QUERY = 'verse 12';
const KEY_EVERY_MS = 150;
/** Frames of a steady scroll, and the distance of each: twenty screens a second. */
const FRAMES = 300;
const STEP_PX = 300;
const LINES = 12;

type Numbers = Record<keyof typeof bounds, number>;

const search = finder(searchedText);

const bounds = {
  firstCards: { what: 'first cards painted', most: 2_500, unit: 'ms' },
  allCards: { what: 'all cards there', most: null, unit: 'ms' },
  key: { what: 'a key answered, worst', most: 200, unit: 'ms' },
  result: { what: 'from a key to its result, worst', most: 1_000, unit: 'ms' },
  level: { what: 'a level chosen, to its cards', most: 1_000, unit: 'ms' },
  frame: { what: 'scrolling: longest frame', most: 200, unit: 'ms' },
  frameMiddle: { what: 'scrolling: frame in the middle', most: 34, unit: 'ms' },
  longTasks: { what: 'scrolling: long tasks', most: null, unit: 'ms' },
} as const;

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: 'inherit' });
const { dataDir, remove } = await newDataFolder();
const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: PASSWORD } });
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const teacher = new Client(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number; name: string }[];
  const [small, large] = levels;
  if (!small || !large) throw new Error('no levels');
  await fill(teacher, small.id, FEW);
  await fill(teacher, large.id, MANY);
  const reference = await measure(teacher, small);
  const measured = await measure(teacher, large);
  console.log(`\nChromium ${browser.version()}, ${SLOWER} times slower: ${MANY} melodies (${FEW})`);
  let isWithin = true;
  for (const [name, { what, most, unit }] of Object.entries(bounds) as [keyof Numbers, Bound][]) {
    const value = measured[name];
    const holds = most === null || value <= most;
    isWithin &&= holds;
    const against = most === null ? '' : `of ${most} allowed${holds ? '' : '  TOO MUCH'}`;
    const ratio = `${(value / reference[name]).toFixed(2)} of the reference's ${reference[name].toFixed(0)}`;
    console.log(
      `  ${what.padEnd(34)} ${value.toFixed(0).padStart(6)} ${unit}  ${against.padEnd(16)}  ${ratio}`,
    );
  }
  process.exitCode = isWithin ? 0 : 1;
} finally {
  await browser.close();
  await program.end();
  await remove();
}

type Bound = { what: string; most: number | null; unit: string };

async function fill(teacher: Client, transmissionLevelId: number, count: number) {
  const line = 'Om ah hung benza guru pema siddhi hung, ཨོཾ་ཨཱཿཧཱུྃ་བཛྲ་གུ་རུ།';
  const add = async (number: number) => {
    const { status } = await teacher.form('/api/melodies', {
      title: `Verse ${number} of the morning`,
      description: 'Sung slowly, once more when the lamps are lit. '.repeat(3),
      melodyText: `${line}\n`.repeat(LINES),
      transmissionLevelId,
      thumbnail: { bytes: await picture(number), name: 'valley.jpg' },
    });
    if (status !== 201) throw new Error(`a melody was answered ${status}`);
  };
  let next = 1;
  const inTurn = async () => {
    while (next <= count) await add(next++);
  };
  await Promise.all(Array.from({ length: 4 }, inTurn));
}

function picture(number: number) {
  const background = { r: number % 256, g: (number * 7) % 256, b: (number * 31) % 256 };
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  return sharp({ create: { width: 640, height: 360, channels: 3, background, noise } })
    .jpeg()
    .toBuffer();
}

/** What a student of one level sees: the library of that level. */
async function measure(teacher: Client, level: { id: number; name: string }): Promise<Numbers> {
  const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
    email: `student.${level.id}@example.org`,
    firstName: 'Tashi',
    lastName: 'Dolma',
    transmissionLevels: [level.id],
  });
  const { user, password } = body as { user: { username: string }; password: string };
  const context = await browser.newContext({ baseURL: program.url, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.request.post('/api/login', { data: { username: user.username, password } });
    const melodies = (await (await page.request.get('/api/melodies')).json()) as Melody[];
    const slowed = await context.newCDPSession(page);
    await slowed.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const firstCards = await untilFirstCards(page);
    const allCards = await untilAllCards(page, melodies.length);
    await settle(page);
    const scrolled = await scroll(page);
    const typed = await type(page, melodies);
    const chosen = await choose(page, level.name, melodies.length);
    return { firstCards, allCards, ...scrolled, ...typed, level: chosen };
  } finally {
    await context.close();
  }
}

/** The paint that shows the first card with its picture or its title, whichever is larger. */
async function untilFirstCards(page: Page) {
  await page.goto('/melodies');
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
}

async function untilAllCards(page: Page, count: number) {
  await page.waitForFunction((all) => document.querySelectorAll('main h2').length === all, count, {
    timeout: 120_000,
    polling: 'raf',
  });
  return page.evaluate(() => performance.now());
}

/** Until the page has been idle for a second. */
function settle(page: Page) {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 1_000);
        new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 1_000);
        }).observe({ type: 'longtask' });
      }),
  );
}

/** Down, and up again at the end of the library. */
function scroll(page: Page) {
  return page.evaluate(
    async ([frames, step]) => {
      let longTasks = 0;
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longTasks += duration;
      });
      observer.observe({ type: 'longtask' });
      const lengths: number[] = [];
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      let last = await frame();
      let direction = 1;
      for (let i = 0; i < frames; i += 1) {
        const before = scrollY;
        scrollBy(0, step * direction);
        if (scrollY === before) direction = -direction;
        const now = await frame();
        lengths.push(now - last);
        last = now;
      }
      observer.disconnect();
      scrollTo(0, 0);
      lengths.sort((a, b) => a - b);
      return { frame: lengths.at(-1)!, frameMiddle: lengths[Math.floor(frames / 2)]!, longTasks };
    },
    [FRAMES, STEP_PX] as const,
  );
}

/** How long the field takes to show each letter, and the page to show the results. */
async function type(page: Page, melodies: readonly Melody[]) {
  const wanted = Array.from(QUERY, (_, i) => search.find(melodies, QUERY.slice(0, i + 1)).length);
  await page.getByLabel('Search melodies').focus();
  await page.evaluate((counts) => {
    const measured = { keys: [] as number[], results: [] as number[] };
    (window as unknown as { measured: typeof measured }).measured = measured;
    const painted = (then: () => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = then;
        port2.postMessage(null);
      });
    document.addEventListener(
      'keydown',
      (event) => {
        const typed = (event.target as HTMLInputElement).value.length;
        const isFound = () => {
          const value = (event.target as HTMLInputElement).value.length;
          // If typing goes on before the results appear, those of the last letter count.
          if (value !== typed + 1) return true;
          const said = document.querySelector('main p.text-soft')?.textContent ?? '';
          return said.replaceAll(/\D/g, '') === String(counts[typed]);
        };
        painted(() => measured.keys.push(performance.now() - event.timeStamp));
        const look = () =>
          painted(() => (isFound() ? measured.results.push(performance.now() - event.timeStamp) : look()));
        look();
      },
      { capture: true },
    );
  }, wanted);
  for (const letter of QUERY) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await page.waitForTimeout(KEY_EVERY_MS);
  }
  await page.waitForFunction(
    (keys) => (window as unknown as { measured: { results: number[] } }).measured.results.length === keys,
    QUERY.length,
    { timeout: 30_000 },
  );
  const { keys, results } = await page.evaluate(
    () => (window as unknown as { measured: { keys: number[]; results: number[] } }).measured,
  );
  return { key: Math.max(...keys), result: Math.max(...results) };
}

/** From the click on a level to the paint of its first cards, with the whole list rebuilt. */
async function choose(page: Page, level: string, count: number) {
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await untilAllCards(page, count);
  await settle(page);
  return page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const button = [...document.querySelectorAll('main button')].find(
          ({ textContent }) => textContent === name,
        ) as HTMLButtonElement;
        const before = performance.now();
        button.click();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - before);
          port2.postMessage(null);
        });
      }),
    level,
  );
}
