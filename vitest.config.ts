import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A zone with an odd offset, so that a forgotten time zone fails here and not at somebody's retreat.
    env: { TZ: 'Asia/Kathmandu', NODE_ENV: 'test' },
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
