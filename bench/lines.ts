import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { extractFeatures, type SoundFeatures } from '#features/line-matching/alignment/features.ts';
import {
  MAX_INTERACTIVE_MATRIX_CELLS,
  findLines,
  type FoundLine,
} from '#features/line-matching/alignment/find-lines.ts';
import { startCommunity, type Community } from '#testing/community.ts';
import {
  composeSong,
  inventSinger,
  renderPerformance,
  SINGING_SAMPLE_RATE,
  toWav,
  getAllParts,
} from '#testing/singing.ts';
import { getMedian, launchChromium, reportMeasurement } from './harness.ts';
import { generateLabelledTakes } from './labelled-takes.ts';

// Measures how well a melody's lines are found in recordings of the melody, for each kind of recording. Also
// measures the cost of the search in a separate process (as on the server) and on the submit page. Arguments:
// - The first is the seed from which all singing is generated. The thresholds were tuned with the seeds 'tune',
//   'two', 'three' and 'device', so measure with other seeds.
// - The second restricts the run to one kind of recording, or to `submit-page`.
// - `--on-device` gives the search the limits of the submit page.

const bounds = {
  /** Minimum shares of lines found within 0.5 s (`half`) and 0.25 s (`quarter`) of their start. */
  half: 0.94,
  quarter: 0.9,
  medianSeconds: 0.05,
  /** Maximum share of wrong lines among those that the search is sure of. */
  wrong: 0.01,
  /** Minimum share of lines found within 0.5 s, by kind of recording. */
  halfOf: { plain: 1, 'on one tone': 0.93, 'wrong notes': 0.85, 'noise of 5 dB': 0.75 } as Record<
    string,
    number
  >,
  /** Maximum cost of the search in a recording of two minutes. */
  cpuSeconds: 6,
  megabytes: 250,
  /** Maximum cost on the submit page, with a CPU four times slower. */
  page: { cpuSeconds: 10, taskMs: 50 },
};
const SUBMIT_PAGE = 'submit-page';
const SECONDS = 120;
const CPU_SLOWDOWN = 4;
const ROUNDS = 3;

class AccuracyTally {
  lines = 0;
  half = 0;
  quarter = 0;
  claimed = 0;
  wrong = 0;
  cpu = 0;
  seconds = 0;
  errors: number[] = [];

  add(truth: readonly { line: number; start: number }[], found: readonly FoundLine[]) {
    const used = new Set<FoundLine>();
    const sure = found.filter((one) => one.sure >= 0.5);
    for (const { line, start } of truth) {
      const [near] = sure
        .filter((one) => one.line === line && !used.has(one))
        .sort((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start));
      const error = near ? Math.abs(near.start - start) : Infinity;
      if (error > 0.5) continue;
      used.add(near!);
      this.errors.push(error);
      this.half += 1;
      if (error <= 0.25) this.quarter += 1;
    }
    this.lines += truth.length;
    this.claimed += sure.length;
    this.wrong += sure.length - used.size;
  }
}

const isOnDevice = process.argv.includes('--on-device');
const [seed = 'report', only] = process.argv.slice(2).filter((given) => !given.startsWith('--'));
const twoMinutes = composeSong(seed, { lines: 20, verse: 4 });

if (only !== SUBMIT_PAGE) {
  measureAccuracy();
  reportMeasurement(
    'memory of one search in two minutes',
    measureSearchMemory(),
    { max: bounds.megabytes },
    'MB',
  );
}
if (!only || only === SUBMIT_PAGE) await measureSubmitPage();

function measureAccuracy() {
  const how = isOnDevice ? { cells: MAX_INTERACTIVE_MATRIX_CELLS } : {};
  const byKind = new Map<string, AccuracyTally>();
  const all = new AccuracyTally();
  const features = new Map<object, SoundFeatures>();
  let othersClaimed = 0;
  for (const { kind, melody, take, lines } of generateLabelledTakes(seed, only)) {
    const ofMelody = features.get(melody) ?? extractFeatures(melody.sound, SINGING_SAMPLE_RATE);
    features.set(melody, ofMelody);
    const before = process.cpuUsage();
    const found = findLines(ofMelody, melody.starts, extractFeatures(take, SINGING_SAMPLE_RATE), how);
    const { user, system } = process.cpuUsage(before);
    const ofKind = byKind.get(kind) ?? new AccuracyTally();
    byKind.set(kind, ofKind);
    for (const tally of [ofKind, all]) {
      tally.add(lines, found);
      tally.cpu += (user + system) / 1e6;
      tally.seconds += take.length / SINGING_SAMPLE_RATE;
    }
    if (lines.length === 0 && found.some(({ sure }) => sure >= 0.5)) othersClaimed += 1;
  }
  for (const [kind, { half, lines, wrong, claimed }] of byKind) {
    const least = bounds.halfOf[kind];
    const more = `${wrong} wrong of ${claimed} claimed`;
    if (lines > 0)
      reportMeasurement(
        `${kind}: within 0.5 s`,
        half / lines,
        least === undefined ? null : { min: least },
        'of the lines',
        more,
      );
  }
  if (all.lines > 0) {
    reportMeasurement('all: within 0.5 s', all.half / all.lines, { min: bounds.half }, 'of the lines');
    reportMeasurement('all: within 0.25 s', all.quarter / all.lines, { min: bounds.quarter }, 'of the lines');
    reportMeasurement('median error', getMedian(all.errors), { max: bounds.medianSeconds }, 's');
    reportMeasurement('wrong lines', all.wrong / all.claimed, { max: bounds.wrong }, 'of those claimed');
  }
  reportMeasurement('recordings of something else with lines', othersClaimed, { max: 0 }, '');
  const cpu = (all.cpu / all.seconds) * SECONDS;
  reportMeasurement('CPU time for two minutes', cpu, { max: bounds.cpuSeconds }, 's');
}

/** Generates two minutes of singing. */
function singForTwoMinutes(singer: string) {
  const { sound, lines } = renderPerformance(
    singer,
    twoMinutes,
    inventSinger(singer),
    getAllParts(twoMinutes),
    {
      rubato: 0.2,
    },
  );
  return {
    sound: sound.slice(0, SECONDS * SINGING_SAMPLE_RATE),
    starts: lines.filter(({ end }) => end < SECONDS),
  };
}

/** Searches in a separate process, as on the server. @returns the maximum memory of the process, in MB */
function measureSearchMemory(): number {
  const folder = mkdtempSync(join(tmpdir(), 'yangchen-lines-'));
  try {
    const [melody, take] = ['teacher', 'student'].map((singer) => {
      const { sound, starts } = singForTwoMinutes(singer);
      const file = join(folder, singer);
      writeFileSync(file, new Uint8Array(sound.buffer));
      return { file, starts };
    });
    const given = [`${SINGING_SAMPLE_RATE}`, melody!.file, take!.file, JSON.stringify(melody!.starts)];
    return Number(execFileSync(process.execPath, ['bench/lines-once.ts', ...given], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Measures the submit page as on a CPU four times slower. Chromium can throttle pages but not their workers.
 * So the CPU time is measured without throttling and multiplied by four, and the longest task is measured on
 * a throttled page.
 */
async function measureSubmitPage() {
  const community = await startCommunity();
  const browser = await launchChromium();
  try {
    const [melody, take] = [singForTwoMinutes('teacher'), singForTwoMinutes('student')];
    const id = await addTimedMelody(community, melody);
    const context = await browser.newContext({ baseURL: community.url });
    const data = await community.newStudent();
    await context.request.post('/api/login', { data });
    const page = await context.newPage();
    const device = await context.newCDPSession(page);
    const cpuSeconds = await createRendererCpuReader(browser, page);
    let began = 0;
    let used = 0;
    await page.exposeFunction('searchBegan', async () => (began = await cpuSeconds()));
    await page.exposeFunction('searchEnded', async () => (used = (await cpuSeconds()) - began));
    await page.addInitScript(watchSearch);
    const file = { name: 'take.wav', mimeType: 'audio/wav', buffer: toWav(take.sound) };
    const search = async () => {
      await page.goto(`/submit?melody=${id}`);
      await page.getByRole('tab', { name: 'Upload Audio File' }).click();
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('lines found').waitFor({ timeout: 300_000 });
      return page.evaluate(() => (globalThis as Watched).watched);
    };
    const seconds: number[] = [];
    const tasks: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await search();
      seconds.push(used * CPU_SLOWDOWN);
    }
    await device.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { from, to, long } = await search();
      const during = long.filter(({ at, ms }) => at + ms >= from && at <= to);
      tasks.push(Math.max(0, ...during.map(({ ms }) => ms)));
    }
    const { cpuSeconds: most, taskMs } = bounds.page;
    reportMeasurement(
      'submit page: melody and recording, first time',
      seconds[0]!,
      { max: most },
      's of CPU',
    );
    reportMeasurement('submit page: median', getMedian(seconds), { max: most }, 's of CPU');
    reportMeasurement('submit page: longest task meanwhile, median', getMedian(tasks), { max: taskMs }, 'ms');
  } finally {
    await browser.close();
    await community.end();
  }
}

async function addTimedMelody(
  { addMelody, teacher }: Community,
  { sound, starts }: ReturnType<typeof singForTwoMinutes>,
) {
  const { id } = await addMelody({
    melodyText: starts.map(() => 'namo gurubhya').join('\n'),
    audioFile: { bytes: toWav(sound), name: 'song.wav' },
  });
  const timings = JSON.stringify(starts.map(({ start }, line) => ({ line, start })));
  await teacher.form(`/api/melodies/${id}`, { timings }, { method: 'PUT' });
  return id;
}

type Watched = typeof globalThis & {
  watched: { from: number; to: number; long: { at: number; ms: number }[] };
  searchBegan(): void;
  searchEnded(): void;
};

/** Records when the worker started and ended, and each long task. Runs in the page. */
function watchSearch() {
  const page = globalThis as Watched;
  const watched: Watched['watched'] = { from: NaN, to: NaN, long: [] };
  page.watched = watched;
  page.Worker = class extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      page.searchBegan();
      super(...given);
      watched.from = performance.now();
    }
    override terminate() {
      page.searchEnded();
      watched.to = performance.now();
      super.terminate();
    }
  };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      watched.long.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask' });
}

/** Returns a function that reads the CPU seconds of this page's process, including its workers and decoders. */
async function createRendererCpuReader(browser: Browser, page: Page) {
  const whole = await browser.newBrowserCDPSession();
  const readTimes = async () => {
    const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
    return new Map(
      processInfo.filter(({ type }) => type === 'renderer').map((each) => [each.id, each.cpuTime]),
    );
  };
  await page.goto('/');
  const before = await readTimes();
  // Keeps the page's process busy, so that its CPU time identifies it among the other processes.
  await page.evaluate(() => {
    const end = performance.now() + 300;
    while (performance.now() < end);
  });
  const after = await readTimes();
  const more = (pid: number) => after.get(pid)! - (before.get(pid) ?? 0);
  const [busiest] = [...after.keys()].sort((one, other) => more(other) - more(one));
  return async () => (await readTimes()).get(busiest!) ?? NaN;
}
