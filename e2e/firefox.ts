import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { killProcess } from '#testing/kill-process.ts';
import { buildButtonXPath, buildFieldXPath } from './xpath.ts';

/** Path of an installed Firefox; null if there is none. */
const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)) ?? null;

export const canLaunchFirefox = firefoxPath !== null && existsSync('/usr/bin/pulseaudio');

/** Frequency of Firefox's fake microphone, in Hz. */
export const FIREFOX_MICROPHONE_HERTZ = 220;

/**
 * Creates a Firefox profile that survives restarts, like {@link createDevice} for Chromium. `open` starts the
 * browser.
 */
export async function createFirefoxDevice() {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-firefox-'));
  const sound = await startNullSoundServer();
  let browser: Browser | null = null;
  let page: Page | null = null;

  /** Kills all of Firefox's processes without warning. */
  async function kill() {
    const pid = browser?.process()?.pid;
    browser = null;
    if (pid) for (const each of [pid, ...(await findDescendants(pid))]) killProcess(each);
  }

  return {
    /** Starts Firefox, or restarts it. */
    async open(url: string) {
      browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath: firefoxPath!,
        headless: true,
        userDataDir: folder,
        env: { ...process.env, ...sound.environment },
        extraPrefsFirefox: {
          'media.navigator.permission.disabled': true,
          'media.navigator.streams.fake': true,
          'media.navigator.audio.fake_frequency': FIREFOX_MICROPHONE_HERTZ,
          'media.autoplay.default': 0,
        },
      });
      page = await browser.newPage();
      await page.goto(url);
    },
    goto: (url: string) => page!.goto(url),
    evaluate: <A, R>(run: (argument: A) => R | Promise<R>, argument: A) =>
      page!.evaluate(run as never, argument as never) as Promise<R>,
    async fill(label: string, text: string) {
      const field = await page!.waitForSelector(`::-p-xpath(${buildFieldXPath(label)})`);
      await field!.click({ count: 3 });
      await field!.type(text);
    },
    async press(name: string, within?: string) {
      const button = await page!.waitForSelector(`::-p-xpath(${buildButtonXPath(name, within)})`);
      await button!.click();
    },
    sees: (text: string) => page!.waitForSelector(`::-p-text(${text})`),
    kill,
    async end() {
      await kill();
      await sound.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Starts PulseAudio with a null sink, because Firefox's audio never starts without a sound server. */
async function startNullSoundServer() {
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

async function findDescendants(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (of: number): number[] =>
    (children.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}
