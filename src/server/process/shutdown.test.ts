import { expect, test } from 'vitest';
import { createShutdown } from './shutdown.ts';

const told: unknown[] = [];
const log = { error: ({ what }: { what: string }) => told.push(what) } as unknown as Parameters<
  typeof createShutdown
>[0];

test('shuts down in reverse order of start, with the steps of a group in parallel', async () => {
  const events: string[] = [];
  const ends = createShutdown(log);
  const say = (name: string) => ({ name, timeoutMs: 1_000, end: () => void events.push(name) });
  ends.add(say('database'));
  let endMail!: () => void;
  const mail = new Promise<void>((resolve) => (endMail = resolve));
  ends.add(
    { name: 'mail', timeoutMs: 60_000, end: () => mail },
    { name: 'requests', timeoutMs: 60_000, end: endMail },
  );
  ends.add(say('maintenance'));
  expect(await ends.run()).toBe(true);
  expect(events).toEqual(['maintenance', 'database']);
});

test('logs a step that fails or takes too long, and continues with the rest', async () => {
  const ends = createShutdown(log);
  let hasEnded = false;
  ends.add({ name: 'the data folder', timeoutMs: 1_000, end: () => void (hasEnded = true) });
  ends.add({ name: 'stuck', timeoutMs: 10, end: () => new Promise(() => undefined) });
  ends.add({ name: 'broken', timeoutMs: 1_000, end: () => Promise.reject(new Error('broken')) });
  ends.add({
    name: 'broken at once',
    timeoutMs: 1_000,
    end: () => {
      throw new Error('broken');
    },
  });
  expect(await ends.run()).toBe(false);
  expect(hasEnded).toBe(true);
  expect(told).toEqual(['broken at once', 'broken', 'stuck']);
});
