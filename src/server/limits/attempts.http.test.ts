import { expect, test, vi } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { createAttemptCounter } from './attempts.ts';

const app = await startTestApp();

test('an attempt never starts if its client disconnects while waiting', async () => {
  const disconnect = new AbortController();
  const admit = vi.fn(() => {
    disconnect.abort();
    return 'wait' as const;
  });
  const succeeds = vi.fn(() => Promise.resolve(true));
  const now = new Date();
  const trying = createAttemptCounter(app.db).attempt(
    { kind: 'sign-in', subject: 'pema', address: '10.0.0.1' },
    { since: new Date(0), now },
    admit,
    succeeds,
    disconnect.signal,
  );
  await expect(trying).rejects.toMatchObject({ code: 'too-many' });
  expect(admit).toHaveBeenCalledTimes(1);
  expect(succeeds).not.toHaveBeenCalled();
  expect(await app.count('attempts')).toBe(0);
});
