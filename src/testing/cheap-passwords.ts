import { vi } from 'vitest';

// Most tests sign somebody in, and none of them is about the cost of a hash; `passwords.test.ts` is.
vi.mock(import('@node-rs/argon2'), async (importActual) => {
  const argon2 = await importActual();
  return {
    ...argon2,
    hash: (password, options) => argon2.hash(password, { ...options, memoryCost: 256, timeCost: 1 }),
  };
});
