import { expect, test, vi } from 'vitest';
import { fc } from '#testing/properties.ts';
import { type callApi, CallError } from '../api/call.ts';
import { uploadInChunks } from './upload-in-chunks.ts';

const file = new Blob([new Uint8Array(500_000)]);
const never = new AbortController().signal;

/** Fakes a server that confirms what arrives, and a connection that breaks where `isCut` returns true. */
function fakeServer(isCut: (size: number, chunk: number) => boolean = () => false, status = 0) {
  const server = { size: 0, received: 0, sent: [] as number[] };
  const answer = async (route: string, { body, bytes }: { body?: { size: number }; bytes?: Blob }) => {
    if (route.startsWith('DELETE')) return Object.assign(server, { size: 0, received: 0 });
    if (body && server.size > 0 && server.size !== body.size) throw new CallError(409, '');
    if (body) server.size = body.size;
    if (bytes) {
      server.sent.push(bytes.size);
      if (isCut(bytes.size, server.sent.length)) throw new CallError(status, 'No connection.');
      server.received += bytes.size;
    }
    return { received: server.received };
  };
  return { server, call: answer as unknown as typeof callApi };
}

test.each([
  ['the connection breaks', 0],
  ['the server times out', 408],
])('when %s, sends smaller chunks until the whole file has arrived', async (_, status) => {
  const { server, call } = fakeServer((size) => size > 100_000, status);
  const fractions: number[] = [];
  await uploadInChunks({
    clientId: 'a',
    slot: 'recording-audio',
    file,
    signal: never,
    onProgress: (fraction) => fractions.push(fraction),
    call,
  });
  expect(server.received).toBe(500_000);
  expect(fractions.at(-1)).toBe(1);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
});

test('every byte arrives once and in order, wherever the connection breaks', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const fate = fc.constantFrom('arrives', 'is lost', 'arrives without an answer');
  const sizes = fc.integer({ min: 1, max: bytes.length });
  const arrivesWhole = fc.asyncProperty(fc.array(fate, { maxLength: 30 }), sizes, async (fates, size) => {
    const sent = bytes.slice(0, size);
    const ahead = [...fates];
    let arrived = Buffer.of();
    const answer = async (
      _: string,
      { query, bytes: chunk }: { query?: { start: number }; bytes?: Blob },
    ) => {
      if (!chunk) return { received: arrived.length };
      expect(query!.start).toBe(arrived.length);
      const next = ahead.shift() ?? 'arrives';
      if (next !== 'is lost') arrived = Buffer.concat([arrived, Buffer.from(await chunk.arrayBuffer())]);
      if (next !== 'arrives') throw new CallError(0, 'No connection.');
      return { received: arrived.length };
    };
    const upload = () =>
      uploadInChunks({
        ...{ clientId: 'a', slot: 'recording-audio', file: new Blob([sent]), signal: never },
        call: answer as unknown as typeof callApi,
      });
    // Makes one attempt per entry of `fates`. That is enough, because each failed attempt consumes at least
    // one entry.
    for (const _ of fates) await upload().catch(() => undefined);
    await upload();
    expect(arrived.equals(sent)).toBe(true);
  });
  await fc.assert(arrivesWhole, { numRuns: 50 });
});

test('after a lost connection, a second attempt sends only the missing bytes', async () => {
  const cut = fakeServer((_, chunk) => chunk > 1);
  const upload = () =>
    uploadInChunks({ clientId: 'a', file, slot: 'recording-audio', signal: never, call: cut.call });
  await expect(upload()).rejects.toMatchObject({ status: 0 });
  const before = cut.server.received;
  cut.server.sent = [];
  await expect(upload()).resolves.toBeUndefined();
  expect(before).toBeGreaterThan(0);
  expect(cut.server.sent).toEqual([500_000 - before]);
});

test('an upload starts over if its id was used for another file', async () => {
  const { server, call } = fakeServer();
  Object.assign(server, { size: 7, received: 3 });
  await uploadInChunks({ clientId: 'a', file, slot: 'recording-audio', signal: never, call });
  expect(server.received).toBe(500_000);
});

test('does not send further chunks after an abort', async () => {
  const ending = new AbortController();
  const { server, call } = fakeServer(() => {
    ending.abort();
    return true;
  });
  await expect(
    uploadInChunks({ clientId: 'a', file, slot: 'recording-audio', signal: ending.signal, call }),
  ).rejects.toBeDefined();
  expect(server.sent).toHaveLength(1);
});

test('does not abort a chunk that takes minutes but makes progress', async () => {
  vi.useFakeTimers();
  try {
    const slow = async (
      _: string,
      { bytes, onProgress, signal }: { bytes?: Blob; onProgress?: () => void; signal: AbortSignal },
    ) => {
      if (!bytes) return { received: 0 };
      const moving = setInterval(() => onProgress?.(), 20_000);
      await new Promise((resolve, reject) => {
        setTimeout(resolve, 120_000);
        signal.addEventListener('abort', reject);
      }).finally(() => clearInterval(moving));
      return { received: bytes.size };
    };
    const small = new Blob([new Uint8Array(1_000)]);
    const upload = uploadInChunks({
      clientId: 'a',
      slot: 'recording-audio',
      file: small,
      signal: never,
      call: slow as unknown as typeof callApi,
    });
    const arrived = expect(upload).resolves.toBeUndefined();
    await vi.advanceTimersByTimeAsync(200_000);
    await arrived;
  } finally {
    vi.useRealTimers();
  }
});

test.each([{}, null, { received: '0' }, { received: 1e9 }])(
  'rejects a response that is not from the server (%j) as a lost connection',
  async (foreign) => {
    const call = (() => Promise.resolve(foreign)) as unknown as Parameters<typeof uploadInChunks>[0]['call'];
    await expect(
      uploadInChunks({ clientId: 'a', file, slot: 'recording-audio', signal: never, call: call! }),
    ).rejects.toMatchObject({
      status: 0,
    });
  },
);
