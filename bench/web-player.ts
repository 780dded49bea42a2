import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { getCentsBetween, measurePitch } from '../e2e/sound.ts';
import { startCommunity, type Community } from '#testing/community.ts';
import { createSlowConnection, type SlowConnection } from '#testing/slow-connection.ts';
import { createTone, createWav } from '#testing/tone.ts';
import { getLargestContentfulPaint, getMedian, launchChromium, reportMeasurement } from './harness.ts';

// Measures the practice player. Requires ffmpeg, because the server needs it for small copies. Measures:
// - the accuracy of its loop, compared with a loop on `timeupdate` (as in most players) in the same page
// - its pitch at half speed
// - how late lines are highlighted
// - the time until a song plays on the `thin` and `poor` connections (see CONNECTIONS), and the share of a
//   one-hour file that is fetched before it plays
// - the largest contentful paint of the library on the `poor` connection
// - whether a small copy is in sync with its original

const bounds = {
  /** Maximum overshoot past B (worst round), as a share of the median overshoot of a loop driven by `timeupdate`. */
  overshoot: 0.15,
  cents: 5,
  litMs: 200,
  /** Maximum time from pressing Play until audio plays, in ms. */
  sound: { thin: 1_000, poor: 2_000 },
  /** Maximum share of a one-hour melody that is fetched before it plays, in percent. */
  share: 2,
  /** Maximum largest contentful paint (LCP) of the library on the poor connection, in ms. */
  library: 2_500,
  /** Maximum time offset between a copy and its original, in ms. */
  offMs: 30,
};
const CONNECTIONS = {
  thin: { bitsPerSecond: 1_600_000, latencyMs: 75 },
  poor: { bitsPerSecond: 400_000, latencyMs: 400 },
};

const ROUNDS = 20;
const LOADS = 3;
const HERTZ = 440;
const LOOP = { a: 1, b: 1.6 };
/** Starts of the lines, in seconds. The first line is not measured, because the click on Play highlights it. */
const LINE_STARTS = [0, 1.3, 2.7, 4.1, 5.6, 7.2, 8.9, 10.3];
const HOUR_BYTES = 3_600 * 8_000;
/** A tone that rises steadily, so that its pitch reveals the playback position. */
const RISING = { from: 400, hertzPerSecond: 100, seconds: 20 };

export async function measurePlayer() {
  // Generates the audio before starting the program, because idle connections would time out in the meantime.
  const sounds = { hour: await createHourOfMp3(), song: createSong(4 * 60), rising: createRisingTone() };
  const community = await startCommunity();
  const browser = await launchChromium();
  try {
    await measureLoop(browser, community);
    await measureHighlightedLines(browser, community);
    const add = async (title: string, bytes: Buffer, name = 'song.wav') =>
      (await community.addMelody({ title, audioFile: { bytes, name } })).id;
    const hour = await add('Hour', sounds.hour, 'hour.mp3');
    const copied = [await add('Song', sounds.song), await add('Rising', sounds.rising)];
    for (const id of copied) await waitUntilCopied(community, id);
    await withConnection(community, 'thin', (connection) =>
      measureHour(browser, community, connection, hour),
    );
    await withConnection(community, 'poor', (connection) => measurePoor(browser, community, connection));
    await measureCopy(browser, community, copied[1]!);
  } finally {
    await browser.close();
    await community.end();
  }
}

async function withConnection(
  { url }: Community,
  which: keyof typeof CONNECTIONS,
  measure: (connection: SlowConnection) => Promise<void>,
) {
  const connection = await createSlowConnection({ to: url, ...CONNECTIONS[which] });
  try {
    await measure(connection);
  } finally {
    await connection.end();
  }
}

/** Opens the library in a signed-in browser, over a good connection. */
async function openPage(browser: Browser, { url, teacher }: Community) {
  // Blocks the service worker, which would use the same connection to fetch files for offline use.
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const value = teacher.cookies.get('session')!;
  await context.addCookies([{ name: 'session', value, domain: '127.0.0.1', path: '/' }]);
  const page = await context.newPage();
  await page.goto(`${url}/melodies`);
  return page;
}

const playButton = '[role=dialog] [aria-label=Play]';

async function openPlayer(page: Page, melodyId: number) {
  await page.locator(`[data-player-of="${melodyId}"]`).first().click();
  await page.locator(playButton).waitFor();
}

async function slowDown(page: Page) {
  await page.getByRole('button', { name: /^Speed and volume/ }).click();
  const slower = page.getByRole('button', { name: 'Slower', exact: true });
  while (await slower.isEnabled()) await slower.click();
}

async function measureLoop(browser: Browser, community: Community) {
  const audioFile = { bytes: createTone(30, HERTZ, 16_000), name: 'song.wav' };
  const { id } = await community.addMelody({ title: 'Short', audioFile });
  const page = await openPage(browser, community);
  await page.evaluate(
    async ({ loop, melody }) => {
      const user = (await (await fetch('/api/user')).json()) as { id: string };
      localStorage.setItem(`practice ${user.id} ${melody}`, JSON.stringify({ loop }));
    },
    { loop: LOOP, melody: id },
  );
  await page.reload();
  await openPlayer(page, id);
  const ours = await measurePlayerOvershoots(page);
  const reference = await measureTimeupdateOvershoots(page);
  const [worst, usual] = [Math.max(...ours), getMedian(reference)];
  const more = `${worst.toFixed(1)} ms against ${usual.toFixed(0)} ms`;
  const unit = '× the median on timeupdate';
  reportMeasurement('loop, past B, worst', worst / usual, { max: bounds.overshoot }, unit, more);
  const { samples, rate } = await recordAtHalfSpeed(page);
  const off = Math.abs(getCentsBetween(measurePitch(Float64Array.from(samples), rate), HERTZ));
  reportMeasurement('pitch at 0.5×, off by', off, { max: bounds.cents }, 'cents');
  await page.context().close();
}

/** Returns how far past B the player plays in each round of the loop, in ms. */
const measurePlayerOvershoots = (page: Page) =>
  page.evaluate(
    async ({ a, b, rounds }) => {
      const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
      const property = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')!;
      const past: number[] = [];
      Object.defineProperty(audio, 'currentTime', {
        configurable: true,
        get: () => property.get!.call(audio) as number,
        set(to: number) {
          if (!audio.paused && Math.abs(to - a) < 0.01) past.push((audio.currentTime - b) * 1000);
          property.set!.call(audio, to);
        },
      });
      document.querySelector<HTMLElement>('[role=dialog] [aria-label=Play]')!.click();
      while (past.length < rounds + 1) await new Promise((resolve) => setTimeout(resolve, 100));
      document.querySelector<HTMLElement>('[role=dialog] [aria-label=Stop]')!.click();
      delete (audio as { currentTime?: number }).currentTime;
      // Drops the first value, which may come from the initial seek to A.
      return past.slice(1);
    },
    { ...LOOP, rounds: ROUNDS },
  );

/** Returns how far past B a loop on `timeupdate` plays in each round, in ms. */
const measureTimeupdateOvershoots = (page: Page) =>
  page.evaluate(
    async ({ a, b, rounds }) => {
      const audio = new Audio((document.querySelector('[role=dialog] audio') as HTMLAudioElement).src);
      const past: number[] = [];
      audio.addEventListener('timeupdate', () => {
        if (audio.currentTime < b || audio.seeking) return;
        past.push((audio.currentTime - b) * 1000);
        audio.currentTime = a;
      });
      await audio.play();
      audio.currentTime = a;
      while (past.length < rounds) await new Promise((resolve) => setTimeout(resolve, 100));
      audio.pause();
      return past;
    },
    { ...LOOP, rounds: ROUNDS },
  );

/**
 * Records three seconds of the player's output and returns the last second, because the start may be silent.
 */
async function recordAtHalfSpeed(page: Page) {
  await page.getByRole('button', { name: 'Clear Loop' }).click();
  await slowDown(page);
  return page.evaluate(async (play) => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    const context = new AudioContext();
    const tap = context.createScriptProcessor(4096, 1, 1);
    const heard: number[] = [];
    tap.addEventListener('audioprocess', (event) => heard.push(...event.inputBuffer.getChannelData(0)));
    context.createMediaElementSource(audio).connect(tap).connect(context.destination);
    await context.resume();
    document.querySelector<HTMLElement>(play)!.click();
    while (heard.length < context.sampleRate * 3) await new Promise((resolve) => setTimeout(resolve, 100));
    await context.close();
    return { samples: heard.slice(-context.sampleRate), rate: context.sampleRate };
  }, playButton);
}

/** Measures the time from the start of each line until the page highlights it, in ms of real time. */
async function measureHighlightedLines(browser: Browser, community: Community) {
  const melodyText = LINE_STARTS.map(() => 'namo gurubhya').join('\n');
  const audioFile = { bytes: createTone(15, HERTZ, 16_000), name: 'song.wav' };
  const { id } = await community.addMelody({ title: 'Timed', melodyText, audioFile });
  const timings = JSON.stringify(LINE_STARTS.map((start, line) => ({ line, start })));
  await community.teacher.form(`/api/melodies/${id}`, { timings }, { method: 'PUT' });
  for (const speed of [0.5, 1]) {
    const page = await openPage(browser, community);
    await openPlayer(page, id);
    if (speed < 1) await slowDown(page);
    const delays = await page.evaluate(
      async ({ starts, play }) => {
        const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
        const lines = [...document.querySelectorAll('[role=dialog] .sung-text li')];
        document.querySelector<HTMLElement>(play)!.click();
        const found: number[] = [];
        for (let next = 1; next < starts.length;) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (!lines[next]!.hasAttribute('aria-current')) continue;
          found.push(Math.abs(((audio.currentTime - starts[next]!) * 1000) / audio.playbackRate));
          next += 1;
        }
        return found;
      },
      { starts: LINE_STARTS, play: playButton },
    );
    reportMeasurement(`line lit at ${speed}×, worst`, Math.max(...delays), { max: bounds.litMs }, 'ms late');
    await page.context().close();
  }
}

async function measureHour(browser: Browser, community: Community, connection: SlowConnection, id: number) {
  const page = await openPage(browser, community);
  await page.goto(`${connection.url}/melodies`);
  await waitUntilQuiet(connection);
  await openPlayer(page, id);
  await waitUntilQuiet(connection);
  for (const from of [0, 3_000]) {
    const before = connection.received();
    const took = await page.evaluate(
      async ({ start, play }) => {
        const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
        const begin = performance.now();
        if (start > 0) audio.currentTime = start;
        else document.querySelector<HTMLElement>(play)!.click();
        const isHeard = () => !audio.seeking && audio.currentTime > start + 0.005 && audio.readyState >= 3;
        while (!isHeard()) await new Promise((resolve) => setTimeout(resolve, 4));
        return performance.now() - begin;
      },
      { start: from, play: playButton },
    );
    const share = ((connection.received() - before) / HOUR_BYTES) * 100;
    const what = from === 0 ? 'an hour at 1.6 Mbit/s, press to sound' : 'the same, seek to sound';
    reportMeasurement(what, took, { max: bounds.sound.thin }, 'ms');
    reportMeasurement('fetched until then', share, { max: bounds.share }, '% of the hour');
  }
  await page.context().close();
}

async function measurePoor(browser: Browser, community: Community, connection: SlowConnection) {
  const paints: number[] = [];
  const sounds: Record<string, number[]> = { Song: [], Hour: [] };
  let originals = 0;
  for (let run = 0; run < LOADS; run += 1) {
    const page = await openPage(browser, community);
    await page.goto(`${connection.url}/melodies`);
    await page.waitForTimeout(3_000);
    paints.push(await getLargestContentfulPaint(page));
    for (const title of Object.keys(sounds)) {
      await waitUntilQuiet(connection);
      const { took, source } = await measurePressToSound(page, title);
      sounds[title]!.push(took);
      if (title === 'Song' && !source.endsWith('copy=small')) originals += 1;
    }
    await page.context().close();
  }
  reportMeasurement('library at 400 kbit/s, largest paint', getMedian(paints), { max: bounds.library }, 'ms');
  for (const [title, times] of Object.entries(sounds)) {
    const what = `${title.toLowerCase()} at 400 kbit/s, press to sound`;
    reportMeasurement(what, getMedian(times), { max: bounds.sound.poor }, 'ms');
  }
  reportMeasurement('fetched as it was uploaded', originals, { max: 0 }, 'times');
}

const measurePressToSound = (page: Page, title: string) =>
  page.evaluate(async (name) => {
    const audio = document.querySelector('audio')!;
    const begin = performance.now();
    document.querySelector<HTMLElement>(`[aria-label="Play ${name}"]`)!.click();
    while (!(audio.currentTime > 0.005 && audio.readyState >= 3))
      await new Promise((resolve) => setTimeout(resolve, 4));
    const measured = { took: performance.now() - begin, source: audio.src };
    // Stops loading, so that the rest of the song does not disturb the next measurement.
    audio.removeAttribute('src');
    audio.load();
    return measured;
  }, title);

/** Measures the time offset between a small copy and its original. */
async function measureCopy(browser: Browser, community: Community, id: number) {
  const { body } = await community.teacher.get(`/api/melodies/${id}`);
  const address = `/api/files/${body.audioUrl as string}?type=audio`;
  const page = await openPage(browser, community);
  const off = Math.abs(
    (await measureLateness(page, address)) - (await measureLateness(page, `${address}&copy=small`)),
  );
  reportMeasurement('small copy, off by', off, { max: bounds.offMs }, 'ms');
  await page.context().close();
}

/**
 * Returns how far the audible sound lags behind `currentTime`, in ms, computed from the pitch of a rising tone.
 */
const measureLateness = (page: Page, address: string) =>
  page.evaluate(
    async ({ src, from, hertzPerSecond }) => {
      const audio = new Audio(src);
      const context = new AudioContext();
      await context.resume();
      const tap = context.createScriptProcessor(1_024, 1, 1);
      const found: number[] = [];
      // The window is two blocks (about 43 ms). Its measured pitch is that of its middle, one block before
      // the newest sample.
      let before: Float32Array | null = null;
      tap.addEventListener('audioprocess', ({ inputBuffer }) => {
        const block = Float32Array.from(inputBuffer.getChannelData(0));
        const window = before ? Float32Array.from([...before, ...block]) : null;
        before = block;
        if (!window || audio.currentTime < 3 || audio.paused) return;
        const crossings: number[] = [];
        for (let i = 1; i < window.length; i += 1)
          if (window[i - 1]! < 0 && window[i]! >= 0)
            crossings.push(i - window[i]! / (window[i]! - window[i - 1]!));
        if (crossings.length < 5) return;
        const periods = crossings.length - 1;
        const hertz = (periods * context.sampleRate) / (crossings.at(-1)! - crossings[0]!);
        found.push((audio.currentTime - (hertz - from) / hertzPerSecond) * 1000);
      });
      context.createMediaElementSource(audio).connect(tap).connect(context.destination);
      await audio.play();
      audio.currentTime = 2.5;
      while (found.length < 300) await new Promise((resolve) => setTimeout(resolve, 100));
      audio.pause();
      await context.close();
      return found.sort((one, other) => one - other)[150]!;
    },
    { src: address, ...RISING },
  );

async function waitUntilCopied({ teacher }: Community, id: number) {
  for (let second = 0; second < 300; second += 1) {
    const { body } = await teacher.get(`/api/melodies/${id}`);
    if ((body.audioCopies as string[]).includes('small')) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error(`Melody ${id} has no small copy: is ffmpeg there?`);
}

/** Waits until the connection has received nothing for three seconds, so that prefetching is over. */
async function waitUntilQuiet(connection: SlowConnection) {
  for (let before = -1; before !== connection.received();) {
    before = connection.received();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}

/** Returns an hour of MP3 at 64 kbit/s, like a real long melody, by repeating the frames of a short file. */
async function createHourOfMp3() {
  const file = await readFile(join(import.meta.dirname, '../src/testing/audio/melody-cbr.mp3'));
  // Skips the ID3 tag and the first frame, which contains the length of the short file.
  const frames = file.subarray(20 + 288);
  return Buffer.concat(Array<Buffer>(Math.ceil(HOUR_BYTES / frames.length)).fill(frames));
}

/**
 * Returns a WAV like the recorder's: a voice with overtones and breath, for which an encoder needs its full bit
 * rate.
 */
function createSong(seconds: number) {
  return createWav(seconds, 32_000, (second) => {
    const pitch = 180 + 60 * Math.sin(second * 0.7);
    let sample = 1_500 * (Math.random() - 0.5);
    for (let overtone = 1; overtone < 12; overtone += 1)
      sample += (5_000 / overtone) * Math.sin(2 * Math.PI * pitch * overtone * second);
    return sample;
  });
}

function createRisingTone() {
  const { from, hertzPerSecond, seconds } = RISING;
  return createWav(
    seconds,
    32_000,
    (second) => 12_000 * Math.sin(2 * Math.PI * (from * second + (hertzPerSecond / 2) * second * second)),
  );
}
