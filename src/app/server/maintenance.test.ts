import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Services } from './server.ts';
import { startMaintenance } from './maintenance.ts';

const START = new Date('2026-11-22T08:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

type Round = { before: Date; read: string; signal: AbortSignal };

function startTestMaintenance(
  fileRounds: (round: Round) => Promise<unknown>,
  sweepBefore: Date | null = START,
) {
  const nothing = () => Promise.resolve();
  const services = {
    sessions: { forgetExpired: nothing },
    attempts: { forgetBefore: nothing },
    signIn: { deleteOldDevices: nothing, deleteExpiredTokens: nothing },
    passkeys: { deleteExpiredChallenges: nothing },
    uploads: { deleteOld: nothing },
    passwords: { deleteExpiredLinks: nothing },
    mail: { cleanUp: () => Promise.reject(new Error('The outbox is gone')) },
    fileRounds,
    copies: { renewDamaged: nothing },
  } as unknown as Services;
  const log = { error: vi.fn() };
  return { log, ...startMaintenance({ services, clock: () => new Date(), log: log as never, sweepBefore }) };
}

test('maintenance verifies files after ten minutes, then daily, even if steps fail', async () => {
  const rounds: [read: string, before: string][] = [];
  const maintenance = startTestMaintenance(({ read, before }) => {
    rounds.push([read, before.toISOString()]);
    return Promise.reject(new Error('The store is away'));
  });
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(rounds).toEqual([['none', '2026-11-22T08:00:00.000Z']]);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(rounds[1]).toEqual(['share', '2026-11-22T07:10:00.000Z']);
  await vi.advanceTimersByTimeAsync(2 * 24 * 60 * 60_000);
  expect(rounds.map(([read]) => read)).toEqual(['none', 'share', 'share', 'share']);
  // Expects two errors in each run: one from the outbox and one from the files.
  expect(maintenance.log.error).toHaveBeenCalledTimes(2 * rounds.length);
  await maintenance.stop();
});

test('the startup run spares files under an hour old if other processes may write', async () => {
  const rounds: Date[] = [];
  const maintenance = startTestMaintenance(async ({ before }) => void rounds.push(before), null);
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toEqual([new Date('2026-11-22T07:00:00Z')]);
  await maintenance.stop();
});

test('stopping maintenance aborts the current run and prevents further runs', async () => {
  let begun = 0;
  const maintenance = startTestMaintenance(({ signal }) => {
    begun += 1;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await maintenance.stop();
  await vi.advanceTimersByTimeAsync(2 * 24 * 60 * 60_000);
  expect(begun).toBe(1);
});
