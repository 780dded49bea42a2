import type { FastifyReply } from 'fastify';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChangeFeed, ChangeListener } from '#server/db/changes.ts';
import type { LiveAuthGuard } from '#server/http/live-auth-guard.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { createEventStreams } from './streams.ts';

vi.useFakeTimers();
afterEach(() => vi.clearAllTimers());

test('a heartbeat sends the position only after all earlier changes have been sent', async () => {
  let heard: ChangeListener | undefined;
  let position = 'p1';
  const feed: Pick<ChangeFeed, 'listen' | 'position' | 'since'> = {
    listen: (listener) => {
      heard = listener;
      return () => undefined;
    },
    position: () => position,
    since: () => [],
  };
  const checks: PromiseWithResolvers<void>[] = [];
  const confirmed = () => {
    const check = Promise.withResolvers<void>();
    checks.push(check);
    return check.promise;
  };
  const answers = { add: () => ({ confirm: confirmed, recheck: () => null, close: () => undefined }) };
  const streams = createEventStreams(feed as ChangeFeed, answers as unknown as LiveAuthGuard);
  const written: string[] = [];
  const raw = Object.assign(new PassThrough(), {
    writeHead: () => undefined,
    write: (text: string) => written.push(text),
  });
  const reply = { hijack: () => undefined, getHeaders: () => ({}), raw, elapsedTime: 0 };
  streams.open(reply as unknown as FastifyReply, { id: 'tashi', role: 'student' } as Caller, '', 'p1');
  heard?.onChange({ id: 'p2', to: 'tashi', refreshes: ['/api/feedback'] });
  heard?.onChange({ id: 'p3', to: 'somebody else', refreshes: ['/api/feedback'] });
  position = 'p3';
  vi.advanceTimersToNextTimer();
  // Confirms the access checks in reverse order. The events must still be sent in the order in which they
  // happened.
  for (const check of checks.toReversed()) {
    check.resolve();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(written.filter((text) => text !== ':\n\n')).toEqual([
    'id: p1\ndata: {"refreshes":[]}\n\n',
    'id: p2\ndata: {"refreshes":["/api/feedback"]}\n\n',
    'id: p3\ndata: {"refreshes":[]}\n\n',
  ]);
  streams.close();
});
