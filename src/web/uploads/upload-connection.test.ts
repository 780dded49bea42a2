import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUploadConnection } from './upload-connection.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A call that gets no response, and rejects when its signal aborts. */
const unanswered = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

test('chunks grow to a megabyte on a good connection', () => {
  const connection = createUploadConnection();
  const sizes = [1, 2, 3].map(() => {
    connection.succeeded(connection.chunkSize(), 100);
    return connection.chunkSize() / 1024;
  });
  expect(sizes).toEqual([512, 1024, 1024]);
});

test('chunks shrink to what 100 kbit/s can send in five seconds', () => {
  const connection = createUploadConnection();
  const bytesPerMs = 100_000 / 8 / 1000;
  for (let chunks = 0; chunks < 3; chunks += 1)
    connection.succeeded(connection.chunkSize(), connection.chunkSize() / bytesPerMs);
  expect(connection.chunkSize() / bytesPerMs).toBeCloseTo(5_000, -2);
});

test('a short last chunk does not change the chunk size', () => {
  const connection = createUploadConnection();
  connection.succeeded(10, 400);
  expect(connection.chunkSize()).toBe(256 * 1024);
});

test('chunks shrink after each failure, down to 32 KB', () => {
  const connection = createUploadConnection();
  const isWorthTrying = [1, 2, 3].map(() => connection.failed(connection.chunkSize()));
  expect([isWorthTrying, connection.chunkSize()]).toEqual([[true, true, false], 32 * 1024]);
});

test('after a failure, the next chunk is a quarter of the failed chunk', () => {
  const connection = createUploadConnection();
  connection.failed(160 * 1024);
  expect(connection.chunkSize()).toBe(40 * 1024);
});

test('aborts a stalled call, but not a slow call that makes progress', async () => {
  const connection = createUploadConnection();
  const still = expect(connection.withStallTimeout(never, unanswered)).rejects.toMatchObject({ status: 0 });
  let answer = (_: string) => {};
  const slow = connection.withStallTimeout(never, (signal, moved) => {
    const moving = setInterval(moved, 20_000);
    signal.addEventListener('abort', () => clearInterval(moving));
    const answered = new Promise<string>((resolve) => (answer = resolve));
    return Promise.race([unanswered(signal), answered]).finally(() => clearInterval(moving));
  });
  await pass(45_000);
  await still;
  await pass(300_000);
  answer('there');
  await expect(slow).resolves.toBe('there');
});

test('shortenStallTimeout() aborts stalled calls sooner, but not calls with progress', async () => {
  const connection = createUploadConnection();
  const old = expect(connection.withStallTimeout(never, unanswered)).rejects.toMatchObject({ status: 0 });
  await pass(9_000);
  const states: string[] = [];
  const young = connection
    .withStallTimeout(never, async (signal, moved) => {
      setTimeout(moved, 5_000);
      await unanswered(signal);
    })
    .catch(() => states.push('given up'));
  await pass(2_000);
  connection.shortenStallTimeout();
  await pass(0);
  await old;
  await pass(40_000);
  expect(states).toEqual([]);
  await pass(10_000);
  await young;
  expect(states).toEqual(['given up']);
});

test('aborts a call when the caller’s signal aborts', async () => {
  const wanted = new AbortController();
  const ended = expect(
    createUploadConnection().withStallTimeout(wanted.signal, unanswered),
  ).rejects.toMatchObject({
    name: 'AbortError',
  });
  wanted.abort();
  await ended;
});
