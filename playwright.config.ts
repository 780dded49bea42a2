import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/find-chromium.js';
import { microphoneFile } from './e2e/microphone.ts';

const installed = findChromium();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each has a browser, a server and a database at work: a third on two cores makes none of them sooner.
  workers: 2,
  // The second run brings a trace. What it passed is printed as flaky, and counts as failed where CI is set.
  retries: 1,
  fullyParallel: false,
  // Far more than a quiet machine needs: what is slow is no fault, what hangs is.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    timezoneId: 'Asia/Kathmandu',
    locale: 'en-GB',
    trace: 'on-first-retry',
    launchOptions: {
      ...(installed && { executablePath: installed }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--use-fake-device-for-media-stream',
        // Nobody is there to be asked, and a Chromium without windows has nothing to ask with.
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-audio-capture=${microphoneFile}`,
        '--autoplay-policy=no-user-gesture-required',
        // A name that is not localhost, for what only a secure page may do.
        '--host-resolver-rules=MAP songs.test 127.0.0.1',
      ],
    },
  },
  globalSetup: './e2e/microphone.ts',
});
