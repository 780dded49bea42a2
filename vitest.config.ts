import { defineConfig } from 'vitest/config';

const everywhere = {
  // A zone with an odd offset, so that a forgotten time zone fails here and not at somebody's retreat.
  env: { TZ: 'Asia/Kathmandu', NODE_ENV: 'test' },
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  restoreMocks: true,
};

const HTTP = 'src/**/*.http.test.ts';
const PROCESS = [
  'src/**/*.process.test.ts',
  'proof/*.process.test.ts',
  'src/platform/server/embedded-postgres/*.test.ts',
];

export default defineConfig({
  test: {
    // Much of a test's time is waiting: for the database, for processes that start and end.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts', 'proof/*.test.ts'],
          exclude: [HTTP, ...PROCESS],
        },
      },
      {
        // Through HTTP against a real database, which one set-up starts for all of them.
        test: {
          ...everywhere,
          name: 'http',
          include: [HTTP],
          globalSetup: ['src/testing/postgres.ts'],
          setupFiles: ['src/testing/cheap-passwords.ts'],
        },
      },
      {
        // The program and its database as processes: started, killed, started again.
        test: {
          ...everywhere,
          name: 'process',
          include: PROCESS,
          testTimeout: 300_000,
        },
      },
    ],
  },
});
