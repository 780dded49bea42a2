import { defineConfig } from '@playwright/test';
import { getTestChromiumLaunchOptions } from './scripts/find-chromium.js';
import { MICROPHONE_PATH } from './e2e/microphone.ts';

export default defineConfig({
  testDir: 'e2e',
  // These files need an S3 store (e2e/scaled.config.ts) or other browsers (e2e/browsers.config.ts).
  testIgnore: ['signed-sound.spec.ts', 'other-browsers.spec.ts', 'too-old.spec.ts'],
  outputDir: 'test-results',
  // Suits two cores that also run all other tests, because a journey spends a third of its time waiting.
  workers: 2,
  // The second run of a failed test records a trace. A test that passes only then is reported as flaky, and
  // counts as failed if CI is set.
  retries: 1,
  fullyParallel: false,
  // Much longer than an idle machine needs, because only hanging tests should fail, not slow tests.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    timezoneId: 'Asia/Kathmandu',
    locale: 'en-GB',
    trace: 'on-first-retry',
    launchOptions: getTestChromiumLaunchOptions(`--use-file-for-fake-audio-capture=${MICROPHONE_PATH}`),
  },
  globalSetup: ['./e2e/microphone.ts', './src/testing/cluster.ts'],
});
