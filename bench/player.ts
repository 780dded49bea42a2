import { execFileSync } from 'node:child_process';
import { cents, median, pitchOf } from '../e2e/sound.ts';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { slowConnection } from '../src/testing/slow-connection.ts';
import { tone } from '../src/testing/tone.ts';
import {
  descendantsMemory,
  type MeasuredBrowser,
  type MeasuredPage,
  openChromium,
  openFirefox,
} from './browsers.ts';
import { HOUR_BYTES, hourOfMp3 } from './sounds.ts';

/**
 * Measures the practice player on the production build, in Chromium and, if available, Firefox. The loop is compared
 * with one on `timeupdate`, as in most players, in the same page of the same run.
 */
const ROUNDS = 20;
const HERTZ = 440;
const LINE = { bitsPerSecond: 1_600_000, latencyMs: 75 };
const PASSWORD = 'teacher-pass';
const LOOP = { a: 1, b: 1.6 };
/** Seconds. The first is not measured: it is lit at the click. */
const LINE_STARTS = [0, 1.3, 2.7, 4.1, 5.6, 7.2, 8.9, 10.3];
const LIT_WITHIN_MS = 200;
/**
 * Until a page has loaded all its code and its service worker and has been garbage-collected: memory is measured at
 * rest.
 */
const SETTLING_MS = 15_000;
/** Percent of the hour fetched until it sounds: a part, never the whole. */
const SHARE_UNTIL_SOUND = 2;

const bounds = {
  chromium: { overshoot: 10, cents: 5, sound: 1_000, memory: 50 },
  firefox: { overshoot: 60, cents: 5, sound: 1_000, memory: 50 },
};

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: 'inherit' });
const { dataDir, remove } = await newDataFolder();
const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: PASSWORD } });
const line = await slowConnection({ to: program.url, ...LINE });
let isWithin = true;
try {
  const short = await addMelody('Short', tone(30, HERTZ, 16_000));
  const timed = await addMelody('Timed', tone(15, HERTZ, 16_000), 'song.wav', LINE_STARTS);
  const hour = await addMelody('An hour', await hourOfMp3(), 'hour.mp3');
  const chromium = await openChromium();
  await measure(chromium, bounds.chromium, /chrom/i);
  await chromium.end();
  const firefox = await openFirefox();
  if (firefox) {
    await measure(firefox, bounds.firefox, /firefox/i);
    await firefox.end();
  }

  async function measure(browser: MeasuredBrowser, bound: typeof bounds.chromium, processes: RegExp) {
    console.log(`\n${browser.name}`);
    const page = await signedIn(browser, program.url);
    await watchPositions(page);
    const ours = await ownLoop(page, short);
    const reference = await timeupdateLoop(page);
    report('loop, past B, median', median(ours), null, 'ms', median(reference));
    report('loop, past B, worst', Math.max(...ours), bound.overshoot, 'ms', Math.max(...reference));
    report(
      'pitch at 0.5×, off by',
      Math.abs(cents(await pitchAtHalfSpeed(page), HERTZ)),
      bound.cents,
      'cents',
    );
    await page.close();
    for (const slower of [10, 0]) {
      const timedPage = await signedIn(browser, program.url);
      await watchPositions(timedPage);
      const delays = await litDelays(timedPage, timed, slower);
      const speed = slower === 0 ? '1×' : '0.5×';
      report(`lit line at ${speed}, median`, median(delays), null, 'ms');
      report(`lit line at ${speed}, worst`, Math.max(...delays), LIT_WITHIN_MS, 'ms');
      await timedPage.close();
    }

    const thin = await signedIn(browser, line.url);
    await rest(SETTLING_MS);
    const before = await descendantsMemory(processes);
    const opened = await openHour(thin, hour);
    report('an hour: words shown after', opened.words, null, 'ms');
    report('an hour: waveform drawn after', opened.waveform, null, 'ms');
    report('an hour: audio fetched before play', opened.audioBytes, 0, 'bytes');
    const received = line.received();
    const sound = await timeToSound(thin, 0);
    report('play to sound, 1.6 Mbit/s', sound, bound.sound, 'ms');
    report('came down until then, of the hour', shareOfHour(received), SHARE_UNTIL_SOUND, '%');
    const seekReceived = line.received();
    report('the same after a seek to 50:00', await timeToSound(thin, 3_000), bound.sound, 'ms');
    report('came down until then, of the hour', shareOfHour(seekReceived), SHARE_UNTIL_SOUND, '%');
    await rest(SETTLING_MS);
    report(
      'memory above the page, playing',
      (await descendantsMemory(processes)) - before,
      bound.memory,
      'MB',
    );
    report('not resumed after a cut line', (await resumes(thin)) ? 0 : 1, 0, 'times');
    await thin.close();
  }
} finally {
  await line.end();
  await program.end();
  await remove();
}
process.exitCode = isWithin ? 0 : 1;

async function addMelody(
  title: string,
  bytes: Buffer,
  name = 'song.wav',
  starts: number[] = [],
): Promise<number> {
  const teacher = new Client(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const { status, body } = await teacher.form('/api/melodies', {
    title,
    transmissionLevelId: levels[0]!.id,
    melodyText: Array.from({ length: Math.max(1, starts.length) }, () => 'namo gurubhya').join('\n'),
    audioFile: { bytes, name },
  });
  if (status !== 201) throw new Error(`The melody was answered ${status}: ${JSON.stringify(body)}`);
  const id = body.id as number;
  if (starts.length > 0) {
    const timings = JSON.stringify(starts.map((start, line) => ({ line, start })));
    await teacher.form(`/api/melodies/${id}`, { timings }, { method: 'PUT' });
  }
  return id;
}

async function signedIn(browser: MeasuredBrowser, url: string) {
  const page = await browser.page();
  await page.goto(`${url}/`);
  await page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ username: 'khandro', password });
    await fetch('/api/login', { method: 'POST', headers, body });
  }, PASSWORD);
  await page.goto(`${url}/melodies`);
  return page;
}

type Watched = {
  steadyPosition(audio: HTMLAudioElement): { position(): number; end(): void };
};

/** Firefox updates the position in steps of 50 ms; the time since the last update is added. */
function watchPositions(page: MeasuredPage) {
  return page.evaluate(() => {
    (window as unknown as Watched).steadyPosition = (audio) => {
      let seen = { position: -1, at: 0 };
      const look = () => {
        if (audio.currentTime !== seen.position)
          seen = { position: audio.currentTime, at: performance.now() };
      };
      const timer = setInterval(look, 2);
      return {
        position() {
          look();
          return seen.position + (performance.now() - seen.at) / 1000;
        },
        end: () => clearInterval(timer),
      };
    };
  }, null);
}

/** Milliseconds past B at each return to A, in the player as it is. */
async function ownLoop(page: MeasuredPage, melodyId: number) {
  await page.evaluate(() => localStorage.clear(), null);
  const userId = await page.evaluate(
    async () => ((await (await fetch('/api/user')).json()) as { id: string }).id,
    null,
  );
  await page.evaluate(
    ([key, loop]) => localStorage.setItem(key!, loop!),
    [`practice ${userId} ${melodyId}`, JSON.stringify({ loop: LOOP })],
  );
  await page.evaluate(async (id) => {
    const until = async (found: () => unknown) => {
      while (!found()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const card = `[data-player-of="${id}"]`;
    await until(() => document.querySelector(card));
    document.querySelector<HTMLElement>(card)!.click();
    await until(() => document.querySelector('[aria-label=Play]'));
  }, melodyId);
  return page.evaluate(
    async ({ a, b, rounds }) => {
      const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
      const property = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')!;
      const past: number[] = [];
      const steady = (window as unknown as Watched).steadyPosition(audio);
      Object.defineProperty(audio, 'currentTime', {
        configurable: true,
        get: () => property.get!.call(audio) as number,
        set(to: number) {
          if (!audio.paused && Math.abs(to - a) < 0.01) past.push((steady.position() - b) * 1000);
          property.set!.call(audio, to);
        },
      });
      document.querySelector<HTMLElement>('[role=dialog] [aria-label=Play]')!.click();
      while (past.length < rounds + 1) await new Promise((resolve) => setTimeout(resolve, 100));
      document.querySelector<HTMLElement>('[role=dialog] [aria-label=Stop]')!.click();
      delete (audio as { currentTime?: number }).currentTime;
      steady.end();
      // The first may be the seek from the beginning to A.
      return past.slice(1);
    },
    { ...LOOP, rounds: ROUNDS },
  );
}

/** Milliseconds on the wall clock from the beginning of each line until it is lit. */
async function litDelays(page: MeasuredPage, melodyId: number, slower: number) {
  return page.evaluate(
    async ({ id, starts, steps }) => {
      const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const until = async (found: () => unknown) => {
        while (!found()) await rest(20);
      };
      const press = (what: string) => document.querySelector<HTMLElement>(what)!.click();
      const card = `[data-player-of="${id}"]`;
      await until(() => document.querySelector(card));
      press(card);
      await until(
        () => document.querySelectorAll('[role=dialog] .sung-text li button').length >= starts.length,
      );
      for (let i = 0; i < steps; i += 1) {
        press('[role=dialog] [aria-label=Slower]');
        await rest(20);
      }
      const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
      const lines = [...document.querySelectorAll('[role=dialog] .sung-text li')];
      press('[role=dialog] [aria-label=Play]');
      const steady = (window as unknown as Watched).steadyPosition(audio);
      const delays: number[] = [];
      for (let next = 1; next < starts.length;) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (!lines[next]!.hasAttribute('aria-current')) continue;
        delays.push(Math.abs(((steady.position() - starts[next]!) * 1000) / audio.playbackRate));
        next += 1;
      }
      steady.end();
      return delays;
    },
    { id: melodyId, starts: LINE_STARTS, steps: slower },
  );
}

/** The same with the loop that most players have. */
function timeupdateLoop(page: MeasuredPage) {
  return page.evaluate(
    async ({ a, b, rounds }) => {
      const audio = new Audio((document.querySelector('[role=dialog] audio') as HTMLAudioElement).src);
      const past: number[] = [];
      const steady = (window as unknown as Watched).steadyPosition(audio);
      audio.addEventListener('timeupdate', () => {
        if (audio.currentTime < b || audio.seeking) return;
        past.push((steady.position() - b) * 1000);
        audio.currentTime = a;
      });
      await audio.play();
      audio.currentTime = a;
      while (past.length < rounds) await new Promise((resolve) => setTimeout(resolve, 100));
      audio.pause();
      steady.end();
      return past;
    },
    { ...LOOP, rounds: ROUNDS },
  );
}

/** In hertz, at the output of the player's own element. */
async function pitchAtHalfSpeed(page: MeasuredPage) {
  const { samples, rate } = await page.evaluate(async () => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    document.querySelectorAll('button').forEach((each) => each.textContent === 'Clear Loop' && each.click());
    for (let i = 0; i < 10; i += 1) {
      document.querySelector<HTMLElement>('[role=dialog] [aria-label=Slower]')!.click();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const context = new AudioContext();
    const tap = context.createScriptProcessor(4096, 1, 1);
    const heard: number[] = [];
    tap.addEventListener('audioprocess', (event) => heard.push(...event.inputBuffer.getChannelData(0)));
    context.createMediaElementSource(audio).connect(tap).connect(context.destination);
    await context.resume();
    document.querySelector<HTMLElement>('[role=dialog] [aria-label=Play]')!.click();
    const wanted = context.sampleRate * 3;
    while (heard.length < wanted) await new Promise((resolve) => setTimeout(resolve, 100));
    await context.close();
    // The last second: the beginning may still be silent.
    return { samples: heard.slice(-context.sampleRate), rate: context.sampleRate };
  }, null);
  return pitchOf(Float64Array.from(samples), rate);
}

function openHour(page: MeasuredPage, melodyId: number) {
  return page.evaluate(async (id) => {
    const until = async (found: () => unknown) => {
      while (!found()) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now();
    };
    const card = `[data-player-of="${id}"]`;
    await until(() => document.querySelector(card));
    const begin = performance.now();
    document.querySelector<HTMLElement>(card)!.click();
    const words = await until(() => document.querySelector('[role=dialog] .sung-text')?.textContent);
    const isDrawn = () => {
      const canvas = document.querySelector<HTMLCanvasElement>('[role=dialog] canvas');
      if (!canvas?.width) return false;
      // A bar of the steady tone is at full height; until the peaks arrive, all are flat.
      const { data } = canvas
        .getContext('2d')!
        .getImageData(0, Math.round(canvas.height * 0.1), canvas.width, 1);
      return data.some((value) => value > 0);
    };
    const waveform = await until(isDrawn);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const audioBytes = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes('type=audio'))
      .reduce((sum, { transferSize }) => sum + Math.max(1, transferSize), 0);
    return { words: words - begin, waveform: waveform - begin, audioBytes };
  }, melodyId);
}

/** Milliseconds from the click, or the seek, until the position advances. */
function timeToSound(page: MeasuredPage, from: number) {
  return page.evaluate(async (start) => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    const begin = performance.now();
    if (start > 0) audio.currentTime = start;
    else document.querySelector<HTMLElement>('[role=dialog] [aria-label=Play]')!.click();
    const isHeard = () => !audio.seeking && audio.currentTime > start + 0.005 && audio.readyState >= 3;
    while (!isHeard()) await new Promise((resolve) => setTimeout(resolve, 4));
    return performance.now() - begin;
  }, from);
}

/**
 * Cuts the connection, seeks to where nothing has been fetched, restores the connection; whether it resumes. Chromium
 * retries by itself for half a minute, during which the player says that the connection is slow.
 */
async function resumes(page: MeasuredPage): Promise<boolean> {
  line.cut();
  const isSaid = await page.evaluate(async () => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    audio.currentTime = 1_500;
    const says = () =>
      /The connection (was lost|is slow)/.test(document.querySelector('[role=dialog]')!.textContent);
    for (let i = 0; i < 150 && !says(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    return says();
  }, null);
  line.mend();
  if (!isSaid) return false;
  return page.evaluate(async () => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    [...document.querySelectorAll('button')].find((each) => each.textContent === 'Try again')?.click();
    const isHeard = () => audio.currentTime > 1_500.2 && audio.currentTime < 1_560;
    for (let i = 0; i < 100 && !isHeard(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    return isHeard();
  }, null);
}

/** Percent of the hour's file downloaded since a given byte count. */
function shareOfHour(before: number) {
  return ((line.received() - before) / HOUR_BYTES) * 100;
}

function report(what: string, value: number, bound: number | null, unit: string, reference?: number) {
  const holds = bound === null || value <= bound;
  isWithin &&= holds;
  const against = bound === null ? '' : `of ${bound} allowed${holds ? '' : '  TOO MUCH'}`;
  const beside =
    reference === undefined
      ? ''
      : `  ${(value / reference).toFixed(3)} of the reference's ${reference.toFixed(1)}`;
  console.log(`  ${what.padEnd(36)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(6)} ${against}${beside}`);
}

function rest(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
