import { defineConfig } from '@playwright/test';
import { getTestChromiumLaunchOptions } from '../scripts/find-chromium.js';
import { findOldChromium } from '../scripts/old-chromium.js';
import config from '../playwright.config.ts';
import { MICROPHONE_PATH } from './microphone.ts';

// `npm run test:browsers` runs the main journeys in the oldest supported Chromium, and a short version of
// them in Firefox and WebKitGTK. In Chromium 92, it tests the page for browsers that are too old.
const journeys = ['main-path', 'player', 'recorder', 'never-lost'].map((name) => `${name}.spec.ts`);
const oldest = findOldChromium(111);
if (!oldest) console.log('Chromium 111 is not installed (Linux on x64, from npm), so it is not tested.');

export default defineConfig({
  ...config,
  testDir: '.',
  outputDir: '../test-results',
  testIgnore: [],
  // Only one worker, because the older browser's fake microphone stutters if two browsers and the server
  // share a core.
  workers: 1,
  globalSetup: ['./microphone.ts', '../src/testing/cluster.ts'],
  projects: [
    ...(oldest
      ? [
          {
            name: 'Chromium 111',
            testMatch: journeys,
            // Skips a test that intercepts requests, because Playwright can't do that in such an old browser.
            grepInvert: /two windows with the same queue/,
            use: {
              launchOptions: {
                ...getTestChromiumLaunchOptions(`--use-file-for-fake-audio-capture=${MICROPHONE_PATH}`),
                executablePath: oldest,
              },
            },
          },
        ]
      : []),
    { name: 'others', testMatch: ['other-browsers.spec.ts', 'firefox.spec.ts', 'too-old.spec.ts'] },
  ],
});
