import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import config from '../playwright.config.ts';
import { killProcess } from './kill-process.ts';

/** A browser with a profile that outlives it: a person's phone. */
export type Device = {
  /** Starts the browser, or starts it again. */
  open(): Promise<Page>;
  /** @returns sends SIGKILL, at once, to all processes of the browser or to those that show pages */
  aim(what: Target): Promise<() => void>;
  remove(): Promise<void>;
};

export type Target = 'browser' | 'page';

/** @param before runs in each page before the page's own code */
export async function newDevice(baseURL: string, before?: () => void): Promise<Device> {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-device-'));
  let context: BrowserContext | null = null;

  async function close() {
    const closing = context;
    context = null;
    // One that was killed may not answer.
    await closing?.close().catch(() => undefined);
  }

  return {
    async open() {
      await close();
      context = await chromium.launchPersistentContext(folder, {
        ...config.use?.launchOptions,
        baseURL,
        permissions: ['microphone'],
        locale: 'en-GB',
      });
      if (before) await context.addInitScript(before);
      return context.pages()[0] ?? (await context.newPage());
    },

    async aim(what) {
      const session = await context!.browser()!.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const doomed = processInfo.filter(({ type }) => what === 'browser' || type === 'renderer');
      // The one that would notice first goes first.
      doomed.sort((a, b) => Number(b.type === 'browser') - Number(a.type === 'browser'));
      return () => doomed.forEach(({ id }) => killProcess(id));
    },

    async remove() {
      await close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
