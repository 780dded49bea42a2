import type { Browser, Page } from '@playwright/test';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import sharp from 'sharp';
import { backfillMelodySearchColumnsBatch } from '#features/melodies/server/store.ts';
import { getSearchableText } from '#features/melodies/search.ts';
import { createTextSearch } from '#web/text-search.ts';
import type { Melody } from '#features/melodies/contract.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startCommunity, type RunningCommunity } from '#testing/community.ts';
import { runInParallel, getLargestContentfulPaint, launchChromium, reportMeasurement } from './harness.ts';

// Measures the library with 2,000 melodies, each with words and a picture. Throttles the CPU as Lighthouse
// does for a phone. Reports each figure together with its ratio to the figure for a library of 20 melodies,
// measured in the same run.

const LARGE_LIBRARY_SIZE = 2_000;
const SMALL_LIBRARY_SIZE = 20;
const CPU_SLOWDOWN = 4;
/** Search text that is typed letter by letter, at the speed of a person. */
const QUERY = 'verse 12';
const KEY_INTERVAL_MS = 150;
/** Number of frames in a steady scroll. */
const FRAMES = 300;
/** Scroll distance per frame: about twenty screens a second. */
const STEP_PX = 300;
const LINES = 12;
/** Number of different pictures in the library. */
const PICTURES = 100;

const bounds = {
  firstCards: { what: 'first cards painted', most: 2_500 },
  key: { what: 'a key answered, worst', most: 200 },
  result: { what: 'from a key to its result, worst', most: 1_000 },
  level: { what: 'from choosing a level to its cards', most: 1_000 },
  frame: { what: 'scrolling, longest frame', most: 200 },
  frameMiddle: { what: 'scrolling, median frame', most: 34 },
};
type Figures = Record<keyof typeof bounds, number>;

type Level = { id: number; name: string };

export async function measureLibraryPage() {
  const community = await startCommunity();
  const browser = await launchChromium();
  try {
    const { body } = await community.teacher.get('/api/admin/transmission-levels');
    const [small, large] = body as [Level, Level];
    await fillLibrary(community, small.id, SMALL_LIBRARY_SIZE);
    await fillLibrary(community, large.id, LARGE_LIBRARY_SIZE);
    const reference = await measureStudent(browser, community, small);
    const figures = await measureStudent(browser, community, large);
    for (const [name, { what, most }] of Object.entries(bounds) as [
      keyof Figures,
      { what: string; most: number },
    ][]) {
      const ratio = (figures[name] / reference[name]).toFixed(2);
      reportMeasurement(
        `${LARGE_LIBRARY_SIZE} melodies: ${what}`,
        figures[name],
        { max: most },
        'ms',
        `${ratio} × that of ${SMALL_LIBRARY_SIZE}`,
      );
    }
  } finally {
    await browser.close();
    await community.end();
  }
}

/**
 * Adds some melodies and copies their rows for the others, because adding all of them would take a quarter of
 * an hour.
 */
async function fillLibrary(
  { dataDir, addMelody }: RunningCommunity,
  transmissionLevelId: number,
  count: number,
) {
  const line = 'Om ah hung benza guru pema siddhi hung, ཨོཾ་ཨཱཿཧཱུྃ་བཛྲ་གུ་རུ།';
  const client = new pg.Client((await findRunningConnectionSettings(dataDir))!);
  await client.connect();
  await runInParallel(4, Math.min(count, PICTURES), async (number) => {
    // Adds the last melody through the API after the copies, so that the server drops its cached list, which
    // lacks the copies.
    if (number === PICTURES - 1) await copyMelodies(client, transmissionLevelId, count - PICTURES);
    await addMelody({
      title: `Verse ${number + 1} of the morning`,
      description: 'Sung slowly, once more when the lamps are lit. '.repeat(3),
      melodyText: `${line}\n`.repeat(LINES),
      transmissionLevelId,
      thumbnail: { bytes: await createPicture(number), name: 'valley.jpg' },
    });
  });
  await client.end();
}

async function copyMelodies(client: pg.Client, transmissionLevelId: number, count: number) {
  await client.query(
    `insert into melodies (title, description, melody_text, transmission_level_id, thumbnail_url, created_by)
     select 'Verse ' || $2::int + n || ' of the morning', description, melody_text, transmission_level_id, thumbnail_url,
       created_by
     from (select *, row_number() over (order by id) - 1 as place from melodies where transmission_level_id = $1) as made
     join generate_series(1, $3::int) n on place = n % ($2::int / 2)`,
    [transmissionLevelId, PICTURES, count],
  );
  // Fills in the search columns, which the program does only when it starts. Until then, its search would not
  // find the copies.
  const db = drizzle({ client });
  while ((await db.transaction(backfillMelodySearchColumnsBatch)) > 0);
}

function createPicture(number: number) {
  const background = { r: number % 256, g: (number * 7) % 256, b: (number * 31) % 256 };
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  return sharp({ create: { width: 640, height: 360, channels: 3, background, noise } })
    .jpeg()
    .toBuffer();
}

/** Measures the library of a student who has this level. */
async function measureStudent(
  browser: Browser,
  { url, newStudent }: RunningCommunity,
  level: Level,
): Promise<Figures> {
  const data = await newStudent({ levelId: level.id });
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.request.post('/api/login', { data });
    const melodies = (await (await page.request.get('/api/melodies')).json()) as Melody[];
    const device = await context.newCDPSession(page);
    await device.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const firstCards = await waitForFirstCards(page);
    await waitForAllCards(page, melodies.length);
    await waitUntilIdle(page);
    const scrolled = await scroll(page);
    const typed = await typeQuery(page, melodies);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await waitForAllCards(page, melodies.length);
    await waitUntilIdle(page);
    return { firstCards, ...scrolled, ...typed, level: await chooseLevel(page, level.name) };
  } finally {
    await context.close();
  }
}

/**
 * Opens the library and returns the time of the largest contentful paint (LCP), in ms. The largest element is
 * the first card's picture or its title.
 */
async function waitForFirstCards(page: Page) {
  await page.goto('/melodies');
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  return getLargestContentfulPaint(page);
}

const waitForAllCards = (page: Page, count: number) =>
  page.waitForFunction((all) => document.querySelectorAll('main h2').length === all, count, {
    timeout: 120_000,
    polling: 'raf',
  });

/** Waits until the page has had no long task for a second. */
const waitUntilIdle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 1_000);
        new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 1_000);
        }).observe({ type: 'longtask' });
      }),
  );

/** Scrolls down and, from the end of the library, up again. Returns the longest and the median frame, in ms. */
const scroll = (page: Page) =>
  page.evaluate(
    async ([frames, step]) => {
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
      scrollTo(0, 0);
      lengths.sort((a, b) => a - b);
      return { frame: lengths.at(-1)!, frameMiddle: lengths[frames >> 1]! };
    },
    [FRAMES, STEP_PX] as const,
  );

/**
 * Types the query and measures how long after each key the field shows the letter, and the page shows the
 * results. Returns the maxima, in ms.
 */
async function typeQuery(page: Page, melodies: readonly Melody[]) {
  const search = createTextSearch(getSearchableText);
  const wanted = Array.from(QUERY, (_, at) => search.find(melodies, QUERY.slice(0, at + 1)).length);
  // Uses a CSS selector, because looking up a label among thousands of elements takes half a minute.
  await page.locator('main input[type=search]').focus();
  await page.evaluate((counts) => {
    const measured = { keys: [] as number[], results: [] as number[] };
    (window as unknown as { measured: typeof measured }).measured = measured;
    const afterPaint = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
    document.addEventListener(
      'keydown',
      (event) => {
        const field = event.target as HTMLInputElement;
        const typed = field.value.length;
        const isFound = () => {
          // Stops waiting once the next letter has been typed, because the page then shows only that letter's
          // results.
          if (field.value.length !== typed + 1) return true;
          // The count precedes the cards, so only the first paragraphs are read.
          const paragraphs = document.querySelector('main')!.getElementsByTagName('p');
          const texts = Array.from({ length: 8 }, (_, at) => paragraphs[at]?.textContent ?? '');
          const count = texts.find((text) => text.endsWith(' found'))?.replaceAll(/\D/g, '');
          return count === String(counts[typed]);
        };
        const since = () => performance.now() - event.timeStamp;
        afterPaint(() => measured.keys.push(since()));
        const look = () => afterPaint(() => (isFound() ? measured.results.push(since()) : look()));
        look();
      },
      { capture: true },
    );
  }, wanted);
  for (const letter of QUERY) {
    await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    await page.waitForTimeout(KEY_INTERVAL_MS);
  }
  type Measured = { measured: { keys: number[]; results: number[] } };
  const isDone = (keys: number) => (window as unknown as Measured).measured.results.length === keys;
  await page.waitForFunction(isDone, QUERY.length, { timeout: 30_000 });
  const { keys, results } = await page.evaluate(() => (window as unknown as Measured).measured);
  return { key: Math.max(...keys), result: Math.max(...results) };
}

/**
 * Measures the time in ms from the click on a level, which renders the whole list again, to the paint of the
 * level's first cards.
 */
const chooseLevel = (page: Page, level: string) =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')];
        const before = performance.now();
        buttons.find(({ textContent }) => textContent === name)!.click();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - before)));
      }),
    level,
  );
