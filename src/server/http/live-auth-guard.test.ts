import { expect, test, vi } from 'vitest';
import type { ChangeFeed } from '../db/changes.ts';
import { createLiveAuthGuard } from './live-auth-guard.ts';
import { runWithRequestId, getRequestId } from './request-id.ts';
import type { Caller } from '../auth/sessions.ts';

test('the log line of a failed access check contains no request id', async () => {
  const warn = vi.fn(() => getRequestId());
  const answers = createLiveAuthGuard({
    changes: { listen: () => () => undefined } as unknown as ChangeFeed,
    callersOf: () => Promise.reject(new Error('no database')),
    canAccess: () => Promise.resolve([]),
    log: { warn },
  });
  const answer = {
    session: 's',
    caller: { id: 'u' } as Caller,
    file: null,
    length: 'short' as const,
    end: () => undefined,
  };
  const confirmed = runWithRequestId('its-id', () => answers.add(answer, performance.now()).confirm());
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  answers.close();
  await expect(confirmed).rejects.toThrow('ended');
  expect(warn).toHaveReturnedWith(null);
});
