import { defineConfig } from '@playwright/test';
import { chromiumForTests } from '../scripts/find-chromium.js';
import { findOldChromium } from '../scripts/old-chromium.js';
import config from '../playwright.config.ts';
import { microphoneFile } from './microphone.ts';

/** The main journeys in the oldest browsers that the pages run in, and in those of other makers: `npm run test:browsers`. */
const journeys = ['main-path', 'player', 'recorder', 'never-lost'].map((name) => `${name}.spec.ts`);
const oldest = findOldChromium(111);
if (!oldest) console.log('Chromium 111 is not here (Linux on x64, from npm): nothing is said of it.');

export default defineConfig({
  ...config,
  testDir: '.',
  outputDir: '../test-results',
  testIgnore: [],
  // Where two browsers share a core with a program, the older one's fake microphone stutters.
  workers: 1,
  globalSetup: ['./microphone.ts', '../src/testing/cluster.ts'],
  projects: [
    ...(oldest
      ? [
          {
            name: 'Chromium 111',
            testMatch: journeys,
            // They stop requests on their way, which Playwright cannot do in a browser so much older than itself.
            grepInvert: /of two windows with the same queue/,
            use: {
              launchOptions: {
                ...chromiumForTests(`--use-file-for-fake-audio-capture=${microphoneFile}`),
                executablePath: oldest,
              },
            },
          },
        ]
      : []),
    { name: 'others', testMatch: ['other-browsers.spec.ts', 'firefox.spec.ts', 'too-old.spec.ts'] },
  ],
});
