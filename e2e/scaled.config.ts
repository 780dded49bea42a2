import { defineConfig } from '@playwright/test';
import config from '../playwright.config.ts';

/** Runs the main journeys against a program set up for a large community: `npm run test:scale`. */
export default defineConfig({
  ...config,
  testDir: '.',
  outputDir: '../test-results',
  testIgnore: [],
  testMatch: ['accounts', 'main-path', 'replies', 'live', 'signed-sound'].map((name) => `${name}.spec.ts`),
  // Only two, because each worker starts two server processes, a database and nginx.
  workers: 2,
  globalSetup: ['./microphone.ts', '../src/testing/cluster.ts', './s3-store.ts'],
});
