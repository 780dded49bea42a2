import { execFileSync } from 'node:child_process';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { slowConnection } from '../src/testing/slow-connection.ts';
import { type MeasuredBrowser, type MeasuredPage, openChromium, openFirefox } from './browsers.ts';
import { hourOfMp3, rising, RISING, song } from './sounds.ts';

/**
 * Measures what a retreat with a poor line is like, on the production build: how soon the library is there, how soon a
 * melody sounds, and whether a copy sounds at the same moment as its original. Needs ffmpeg, for the copies.
 */
const LINE = { bitsPerSecond: 400_000, latencyMs: 400 };
const RUNS = 3;
const PASSWORD = 'teacher-pass';
const bounds = { library: 2_500, sound: 2_000, offMs: 30 };

// Before anything is connected: it takes a while, in which no connection would be kept.
const sounds = {
  rising: rising(20),
  long: rising(500),
  hour: await hourOfMp3(),
  ten: song(600),
  song: song(4 * 60),
};
execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: 'inherit' });
const { dataDir, remove } = await newDataFolder();
const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: PASSWORD } });
const line = await slowConnection({ to: program.url, ...LINE });
const teacher = new Client(program.url);
let isWithin = true;
try {
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const titles = {
    rising: await addMelody('Rising', sounds.rising),
    long: await addMelody('Rising for long', sounds.long),
    hour: await addMelody('Hour', sounds.hour, 'hour.mp3'),
    ten: await addMelody('Ten minutes', sounds.ten),
    song: await addMelody('Song', sounds.song),
  };
  for (const id of [titles.rising, titles.long, titles.ten, titles.song]) await untilCopied(id);

  const chromium = await openChromium();
  await measure(chromium, bounds);
  await chromium.end();
  const firefox = await openFirefox();
  if (firefox) {
    await measure(firefox, bounds);
    await firefox.end();
  }

  async function measure(browser: MeasuredBrowser, bound: typeof bounds) {
    console.log(`\n${browser.name}`);
    const loads: Record<'first' | 'largest' | 'ready', number>[] = [];
    const presses: Record<string, number[]> = {};
    let unsuited = 0;
    for (let i = 0; i < RUNS; i += 1) {
      const page = await signedIn(browser);
      const received = line.received();
      await page.goto(`${line.url}/melodies`);
      loads.push(await painted(page));
      if (i === 0)
        console.log(`  came down for the library: ${((line.received() - received) / 1024).toFixed(0)} KB`);
      for (const title of ['Song', 'Ten minutes', 'Hour']) {
        await untilQuiet();
        const { took, isSmall } = await timeToSound(page, title);
        (presses[title] ??= []).push(took);
        if (!isSmall && title !== 'Hour') unsuited += 1;
      }
      await page.close();
    }
    report('library cold, first paint', middle(loads.map(({ first }) => first)), null, 'ms');
    report('library cold, largest paint', middle(loads.map(({ largest }) => largest)), bound.library, 'ms');
    report('library cold, a press plays after', middle(loads.map(({ ready }) => ready)), null, 'ms');
    for (const [title, times] of Object.entries(presses))
      report(`press to sound, ${title}`, middle(times), bound.sound, 'ms');
    report('fetched as it was sent', unsuited, 0, 'times');
    const page = await signedIn(browser);
    for (const [what, id] of [
      ['small copy', titles.rising],
      ['small copy of a long one', titles.long],
    ] as const) {
      const { body } = await teacher.get(`/api/melodies/${id}`);
      const address = `/api/files/${body.audioUrl as string}?type=audio`;
      const original = await lateness(page, address);
      const copy = await lateness(page, `${address}&copy=small`);
      report(`${what}, off by`, Math.abs(copy - original), bound.offMs, 'ms');
    }
    await page.close();
  }
} finally {
  await line.end();
  await program.end();
  await remove();
}
process.exitCode = isWithin ? 0 : 1;

async function addMelody(title: string, bytes: Buffer, name = 'song.wav') {
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const { status, body } = await teacher.form('/api/melodies', {
    ...{ title, transmissionLevelId: levels[0]!.id },
    audioFile: { bytes, name },
  });
  if (status !== 201) throw new Error(`The melody was answered ${status}: ${JSON.stringify(body)}`);
  return body.id as number;
}

async function untilCopied(id: number) {
  for (let i = 0; i < 600; i += 1) {
    const { body } = await teacher.get(`/api/melodies/${id}`);
    if ((body.audioCopies as string[]).includes('small')) return;
    await rest(1_000);
  }
  console.log(`  no small copy of melody ${id}`);
}

/** Until nothing more comes: at a first visit, a page fetches for offline use what it did not need. */
async function untilQuiet() {
  for (let before = -1; before !== line.received();) {
    before = line.received();
    await rest(3_000);
  }
}

/** Signed in over a good connection; whatever it has fetched there does not count for the poor one. */
async function signedIn(browser: MeasuredBrowser) {
  const page = await browser.page();
  await page.goto(`${program.url}/`);
  await page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ username: 'khandro', password });
    await fetch('/api/login', { method: 'POST', headers, body });
  }, PASSWORD);
  return page;
}

/** Milliseconds after the navigation. */
function painted(page: MeasuredPage) {
  return page.evaluate(async () => {
    const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
    // React has taken over once it keeps its own notes on an element.
    const isTakenOver = () =>
      [...document.querySelectorAll('[data-player-of]')].some((each) =>
        Object.keys(each).some((key) => key.startsWith('__react')),
      );
    while (!isTakenOver()) await wait();
    const ready = performance.now();
    for (let i = 0; i < 60; i += 1) await wait();
    const [first] = performance.getEntriesByName('first-contentful-paint');
    const largest = await new Promise<number>((resolve) => {
      setTimeout(() => resolve(Number.NaN), 1_000);
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
    });
    return { first: first?.startTime ?? Number.NaN, largest, ready };
  }, null);
}

/** Milliseconds from the press on a card's button until the position advances. */
function timeToSound(page: MeasuredPage, title: string) {
  return page.evaluate(async (name) => {
    const audio = document.querySelector('audio')!;
    const begin = performance.now();
    document.querySelector<HTMLElement>(`[aria-label="Play ${name}"]`)!.click();
    const wait = () => new Promise((resolve) => setTimeout(resolve, 4));
    while (!(audio.currentTime > 0.005 && audio.readyState >= 3)) await wait();
    const took = performance.now() - begin;
    const isSmall = audio.src.endsWith('copy=small');
    // So that what is left to load is out of the way of the next.
    audio.removeAttribute('src');
    audio.load();
    return { took, isSmall };
  }, title);
}

/** Milliseconds by which what is heard lags behind the position, as the pitch of a rising tone tells. */
function lateness(page: MeasuredPage, address: string) {
  return page.evaluate(
    async ({ src, from, hertzPerSecond }) => {
      const audio = new Audio(src);
      const context = new AudioContext();
      await context.resume();
      const tap = context.createScriptProcessor(1_024, 1, 1);
      const found: number[] = [];
      const { sampleRate } = context;
      // Two blocks make a window of some 43 ms, whose middle is one block back.
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
        const hertz = ((crossings.length - 1) * sampleRate) / (crossings.at(-1)! - crossings[0]!);
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
}

function report(what: string, value: number, bound: number | null, unit: string) {
  const holds = bound === null || !(value > bound);
  isWithin &&= holds;
  const against = bound === null ? '' : `of ${bound} allowed${holds ? '' : '  TOO MUCH'}`;
  console.log(`  ${what.padEnd(40)} ${value.toFixed(0).padStart(7)} ${unit.padEnd(3)} ${against}`);
}

function middle(values: number[]) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function rest(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
