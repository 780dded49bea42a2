import { expect, test, vi } from 'vitest';
import type { ChangeFeed } from '../db/changes.ts';
import { openResponses } from './live-auth-guard.ts';
import { inRequest, requestId } from './request-id.ts';
import type { Caller } from '../auth/sessions.ts';

test('a failed check for all responses is not logged with one request’s id', async () => {
  const warn = vi.fn(() => requestId());
  const answers = openResponses({
    changes: { listen: () => () => undefined } as unknown as ChangeFeed,
    callersOf: () => Promise.reject(new Error('no database')),
    mayHave: () => Promise.resolve([]),
    log: { warn },
  });
  const answer = {
    session: 's',
    caller: { id: 'u' } as Caller,
    file: null,
    length: 'short' as const,
    end: () => undefined,
  };
  const confirmed = inRequest('its-id', () => answers.add(answer, performance.now()).confirmed());
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  answers.close();
  await expect(confirmed).rejects.toThrow('ended');
  expect(warn).toHaveReturnedWith(null);
});
