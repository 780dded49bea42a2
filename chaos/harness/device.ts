import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import config from '../../playwright.config.ts';
import { killProcess } from '#testing/kill-process.ts';

/** A browser with a persistent profile, like a person's phone. */
export type Device = {
  /** Starts or restarts the browser. */
  open(): Promise<Page>;
  /** Returns the audio that the pages have received from the microphone so far, with all recordings joined. */
  getReceivedAudio(): Buffer;
  /** Returns a function that kills (SIGKILL) all processes of the browser, or only those that show pages. */
  prepareKill(what: KillTarget): Promise<() => void>;
  remove(): Promise<void>;
};

export type KillTarget = 'browser' | 'page';

/**
 * Creates an empty browser profile. `open` starts the browser.
 * @param before runs in each page before the page's own code
 */
export async function createDevice(baseURL: string, before?: () => void): Promise<Device> {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-device-'));
  let context: BrowserContext | null = null;
  const blocks: Buffer[] = [];

  async function close() {
    const closing = context;
    context = null;
    // Ignores errors, because a killed browser may not respond.
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
      await context.exposeBinding(
        'heard',
        (_, block: string) => void blocks.push(Buffer.from(block, 'base64')),
      );
      await context.addInitScript(reportMicrophone);
      if (before) await context.addInitScript(before);
      // Opens a new page, because the browser may restore its first page late.
      return context.newPage();
    },

    getReceivedAudio: () => Buffer.concat(blocks),

    async prepareKill(what) {
      const session = await context!.browser()!.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const doomed = processInfo.filter(({ type }) => what === 'browser' || type === 'renderer');
      // Kills the browser's main process first, because otherwise it would notice that the others have ended.
      doomed.sort((a, b) => Number(b.type === 'browser') - Number(a.type === 'browser'));
      return () => doomed.forEach(({ id }) => killProcess(id));
    },

    async remove() {
      await close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Reports each block of audio when the page's code receives it. Runs in the page. */
function reportMicrophone() {
  const page = globalThis as unknown as { heard(block: string): unknown };
  globalThis.AudioWorkletNode = class extends AudioWorkletNode {
    constructor(...given: ConstructorParameters<typeof AudioWorkletNode>) {
      super(...given);
      this.port.addEventListener(
        'message',
        ({ data }: MessageEvent<{ samples?: Int16Array<ArrayBuffer> }>) => {
          if (!data.samples) return;
          const { buffer, byteOffset, byteLength } = data.samples;
          void page.heard(btoa(String.fromCharCode(...new Uint8Array(buffer, byteOffset, byteLength))));
        },
      );
    }
  };
}
