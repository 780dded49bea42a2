import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { getTestChromiumLaunchOptions } from './scripts/find-chromium.js';
import { emulateMedia, moveMouse } from './src/testing/browser/commands.ts';
import { createTestFilesPlugin } from './src/testing/browser/test-files-plugin.ts';

const everywhere = {
  // An unusual UTC offset, so that code that ignores the time zone fails in tests.
  env: { TZ: 'Asia/Kathmandu', NODE_ENV: 'test' },
  pool: 'forks' as const,
  // Only stops tests that hang. On a busy machine, a test takes several times as long.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // Much longer than the default of one second, because a busy machine is slow.
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
};

const COMPONENT = 'src/**/*.browser.test.tsx';
const HTTP = 'src/**/*.http.test.ts';
const S3 = 'src/**/*.s3.test.ts';
const SCALE = 'src/**/*.scale.test.ts';
const PROCESS = ['src/**/*.process.test.ts', 'chaos/*.process.test.ts', 'src/server/postgres/*.test.ts'];

export default defineConfig({
  test: {
    // Much of a test's time is spent waiting for the database and for processes to start and end.
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          isolate: false,
          setupFiles: ['src/testing/fresh-start.ts'],
          include: [
            'src/**/*.test.ts',
            'src/**/*.test.tsx',
            'scripts/**/*.test.ts',
            'chaos/harness/*.test.ts',
          ],
          exclude: [HTTP, COMPONENT, S3, SCALE, ...PROCESS],
        },
      },
      {
        // Tests through HTTP against a real database, which the global setup starts once.
        test: {
          ...everywhere,
          name: 'http',
          // Each worker loads the server's imports once instead of once per file.
          isolate: false,
          include: [HTTP],
          globalSetup: ['src/testing/postgres.ts'],
          setupFiles: ['src/testing/cheap-passwords.ts'],
        },
      },
      {
        // The installation of a large community: two servers behind nginx, a real S3 store, and a real mail
        // server.
        test: {
          ...everywhere,
          name: 'scale',
          isolate: false,
          include: [S3, SCALE, HTTP],
          // These files test connections, which nginx handles in this project.
          exclude: ['src/server/http/**'],
          globalSetup: [
            'src/testing/postgres.ts',
            'src/testing/cluster.ts',
            'src/testing/s3.ts',
            'src/testing/scaled.ts',
            'src/testing/exim.ts',
          ],
          setupFiles: ['src/testing/cheap-passwords.ts', 'src/testing/skip-unscaled.ts'],
          // Some tests start the program a dozen times.
          testTimeout: 300_000,
        },
      },
      {
        // Tests that start, kill and restart the program and its database as processes.
        test: {
          ...everywhere,
          name: 'process',
          include: PROCESS,
          globalSetup: ['src/testing/cluster.ts'],
          testTimeout: 300_000,
        },
      },
      {
        // Tests of real pages and styles in a browser. A fake API, whose responses match the contract, replaces
        // the server.
        plugins: [react(), tailwindcss(), createTestFilesPlugin()],
        // If Vite discovered another library while a test runs, it would bundle it and reload the page during
        // the test.
        optimizeDeps: {
          entries: ['src/main.web.tsx', COMPONENT],
          include: ['react', 'react-dom/client', 'react/jsx-dev-runtime', 'zod', 'axe-core'],
        },
        test: {
          ...everywhere,
          name: 'component',
          include: [COMPONENT],
          setupFiles: ['src/testing/browser/set-up.ts'],
          // Pages run in parallel, each in its own browser context. One page keeps most of a core busy.
          maxWorkers: 2,
          // Longer than in the other projects, because the browser competes with their tests for the CPU.
          expect: { poll: { timeout: 60_000 } },
          browser: {
            enabled: true,
            headless: true,
            // The first page waits until all libraries are bundled, which takes minutes on a busy machine.
            connectTimeout: 300_000,
            screenshotFailures: false,
            dependencySourcemaps: false,
            traceView: false,
            testerHtmlPath: 'src/testing/browser/tester.html',
            locators: { exact: false },
            commands: { emulateMedia, moveMouse },
            viewport: { width: 1280, height: 900 },
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              actionTimeout: 60_000,
              contextOptions: {
                timezoneId: 'Asia/Kathmandu',
                locale: 'en-GB',
                permissions: ['microphone', 'clipboard-read', 'clipboard-write'],
              },
              launchOptions: getTestChromiumLaunchOptions(),
            }),
          },
        },
      },
    ],
  },
});
