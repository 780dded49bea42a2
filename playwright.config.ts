import { defineConfig } from '@playwright/test';
import { chromiumForTests } from './scripts/find-chromium.js';
import { microphoneFile } from './e2e/microphone.ts';

export default defineConfig({
  testDir: 'e2e',
  // They need an S3 store (e2e/scaled.config.ts) and other browsers (e2e/browsers.config.ts).
  testIgnore: ['signed-sound.spec.ts', 'other-browsers.spec.ts', 'too-old.spec.ts'],
  outputDir: 'test-results',
  // On two cores, beside all other tests: a journey waits for a third of its time.
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
    launchOptions: chromiumForTests(`--use-file-for-fake-audio-capture=${microphoneFile}`),
  },
  globalSetup: ['./e2e/microphone.ts', './src/testing/cluster.ts'],
});
