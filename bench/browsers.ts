import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import puppeteer from 'puppeteer-core';
import { findChromium } from '../scripts/find-chromium.js';

/** What the measurements need of a page, whichever driver runs the browser. */
export type MeasuredPage = {
  goto(url: string): Promise<unknown>;
  evaluate<R, A>(run: (argument: A) => R | Promise<R>, argument: A): Promise<R>;
  close(): Promise<void>;
};
export type MeasuredBrowser = { name: string; page(): Promise<MeasuredPage>; end(): Promise<void> };

export async function openChromium(): Promise<MeasuredBrowser> {
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  return {
    name: `Chromium ${browser.version()}`,
    async page() {
      const context = await browser.newContext();
      const page = await context.newPage();
      return {
        goto: (url) => page.goto(url),
        evaluate: (run, argument) => page.evaluate(run as never, argument as never),
        close: () => context.close(),
      };
    },
    end: () => browser.close(),
  };
}

/** Null if unavailable. */
export const firefoxPath =
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)) ?? null;

/** Null if unavailable, with the reason printed. */
export async function openFirefox(): Promise<MeasuredBrowser | null> {
  if (!firefoxPath) {
    console.log('\nFirefox is not here (apt-get install firefox-esr pulseaudio): measured without it.');
    return null;
  }
  const sound = await silentSound();
  try {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefoxPath,
      headless: true,
      env: { ...process.env, ...sound.environment },
      extraPrefsFirefox: { 'media.autoplay.default': 0, 'media.autoplay.blocking_policy': 0 },
    });
    return {
      name: await browser.version(),
      async page() {
        const context = await browser.createBrowserContext();
        const page = await context.newPage();
        return {
          goto: (url) => page.goto(url, { waitUntil: 'load' }),
          evaluate: (run, argument) => page.evaluate(run as never, argument as never),
          close: () => context.close(),
        };
      },
      async end() {
        await browser.close();
        await sound.end();
      },
    };
  } catch (error) {
    await sound.end();
    console.log(`\nFirefox did not start (${String(error)}): measured without it.`);
    return null;
  }
}

/** A sound server with a null sink: without one, Firefox's audio never starts. */
export async function silentSound() {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-sound-'));
  const socket = join(folder, 'native');
  let server: ChildProcess | null = null;
  if (existsSync('/usr/bin/pulseaudio')) {
    const modules = [`module-native-protocol-unix socket=${socket} auth-anonymous=1`, 'module-null-sink'];
    server = spawn(
      '/usr/bin/pulseaudio',
      [
        '-n',
        '--daemonize=no',
        '--exit-idle-time=-1',
        '--use-pid-file=no',
        ...modules.flatMap((each) => ['-L', each]),
      ],
      { stdio: 'ignore', env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder } },
    );
    for (let i = 0; i < 50 && !existsSync(socket); i += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    environment: { PULSE_SERVER: `unix:${socket}` },
    async end() {
      server?.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Memory of all descendants of this process, in MB, with shared memory counted once. */
export async function descendantsMemory(names: RegExp): Promise<number> {
  const parents = new Map<number, number>();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  let kilobytes = 0;
  for (const pid of pids.filter((each) => each !== process.pid && isOurs(each))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!names.test(command)) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return kilobytes / 1024;
}
