import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mockBlobReads } from '#testing/blobs.ts';
import { type callApi, CallError } from '#web/api/call.ts';
import type { InspectionProgress } from '#web/uploads/with-inspection-polling.ts';
import { TEST_TAKE, createMemoryTakeStore } from './take-fakes.ts';
import { createTakeSender, IDLE_TAKE_SENDER, type TakeSender } from './take-sender.ts';
import { TakeStoreError } from './take-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
  mockBlobReads();
});
let sender: TakeSender | undefined;
afterEach(() => {
  sender?.end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const song = new Blob([new Uint8Array(600_000).map((_, index) => index % 251)]);

/** Fakes a server behind a connection that the test can cut. It handles uploads like the real server. */
function fakeServer() {
  const uploads = new Map<string, { size: number; bytes: number[] }>();
  const state = {
    isDown: false,
    isOtherUser: false,
    cutAfterCalls: Infinity,
    calls: 0,
    status: 0,
    message: '',
    examination: null as InspectionProgress,
    examined: [] as string[],
  };
  const arrived: string[] = [];
  const refuseOther = () => {
    if (state.isOtherUser) throw new CallError(412, JSON.stringify({ message: 'Somebody else.' }));
  };
  const answer = async (route: string, options: unknown): Promise<unknown> => {
    state.calls += 1;
    if (state.isDown || state.calls > state.cutAfterCalls) throw new CallError(0, 'No connection.');
    refuseOther();
    const { params, body, query, bytes } = options as {
      params: { clientId: string };
      body?: { size: number };
      query?: { start: number };
      bytes?: Blob;
    };
    if (route.endsWith('/examination')) {
      state.examined.push(params.clientId);
      return { examination: state.examination };
    }
    const upload = uploads.get(params.clientId);
    if (route.startsWith('PUT')) {
      const begun = upload ?? { size: body!.size, bytes: [] };
      uploads.set(params.clientId, begun);
      return { received: begun.bytes.length };
    }
    if (route.startsWith('DELETE')) return uploads.delete(params.clientId);
    if (query!.start === upload!.bytes.length)
      upload!.bytes = upload!.bytes.concat([...new Uint8Array(await bytes!.arrayBuffer())]);
    return { received: upload!.bytes.length };
  };
  const commit = ({ id }: { id: string }): Promise<unknown> => {
    if (state.isDown) throw new CallError(0, 'No connection.');
    refuseOther();
    if (state.status) throw new CallError(state.status, JSON.stringify({ message: state.message }));
    const upload = uploads.get(id);
    if (arrived.includes(id)) return Promise.resolve({ id: 1 });
    if (!upload || upload.bytes.length < upload.size)
      throw new CallError(409, JSON.stringify({ message: 'Not complete' }));
    uploads.delete(id);
    arrived.push(id);
    return Promise.resolve({ id: arrived.length });
  };
  return { state, arrived, uploads, commit, call: answer as unknown as typeof callApi };
}

async function queuedTake(device: ReturnType<typeof createMemoryTakeStore>, seconds = 6) {
  const take = await device.store.keepFile(TEST_TAKE, song, { seconds, peaks: null });
  await device.store.change(take.id, { state: 'queued', sending: { title: 'Refuge' } });
  return take;
}

type Server = Pick<ReturnType<typeof fakeServer>, 'call'> &
  Pick<Parameters<typeof createTakeSender>[0], 'commit'>;

const start = (device: ReturnType<typeof createMemoryTakeStore>, server: Server) =>
  (sender = createTakeSender({
    ...device,
    ...server,
    userId: 'tashi',
    slot: 'recording-audio',
    random: () => 0.5,
  }));
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

test('sends queued takes in order and removes each take only after it has arrived', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const takes = [await queuedTake(device), await queuedTake(device)];
  start(device, server).wake();
  await settle(10);
  expect(server.arrived).toEqual(takes.map(({ id }) => id));
  expect(device.all()).toEqual([]);
  expect(sender!.get()).toEqual(IDLE_TAKE_SENDER);
});

test('an idle sender sends takes that another tab queues', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  start(device, server).wake();
  await settle(10);
  const take = await queuedTake(device);
  await settle(10);
  expect([server.arrived, device.all()]).toEqual([[take.id], []]);
});

test('sends a take that another tab queues after a failed take was deleted', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  server.state.isDown = true;
  const failed = await queuedTake(device);
  start(device, server).wake();
  await settle(10);
  await device.store.remove(failed.id);
  await settle(600_000);
  expect(sender!.get()).toEqual(IDLE_TAKE_SENDER);
  server.state.isDown = false;
  const take = await queuedTake(device);
  await settle(10);
  expect(server.arrived).toEqual([take.id]);
});

test('tries a take only once if the sender is woken right after the take is queued', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  server.state.isDown = true;
  start(device, server).wake();
  await settle(10);
  await queuedTake(device);
  sender!.wake();
  await settle(100);
  expect(server.state.calls).toBe(1);
});

test('sends takes in a browser without AbortSignal.any', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  vi.stubGlobal('AbortSignal', Object.create(AbortSignal, { any: { value: undefined } }));
  start(device, server).wake();
  await settle(10);
  expect([server.arrived, device.all()]).toEqual([[take.id], []]);
});

test('after an unexpected error, sends the next take and retries with backoff', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const [first, second] = [await queuedTake(device), await queuedTake(device)];
  const told = vi.spyOn(console, 'error').mockReturnValue();
  const fault = new TypeError('undefined is not a function');
  let isBroken = true;
  const commit = vi.fn(async (take: { id: string }) => {
    if (isBroken && take.id === first.id) throw fault;
    return server.commit(take);
  });
  start(device, { ...server, commit }).wake();
  await settle(10);
  expect(device.all()).toMatchObject([{ id: first.id, state: 'queued' }]);
  expect(server.arrived).toEqual([second.id]);
  expect(sender!.get()).toEqual({ ...IDLE_TAKE_SENDER, blockedBy: 'fault' });
  await settle(3_600_000);
  expect(commit.mock.calls.length).toBeGreaterThan(5);
  expect(commit.mock.calls.length).toBeLessThan(40);
  expect(told.mock.calls).toEqual([['A recording could not be sent:', fault]]);
  isBroken = false;
  sender!.wake();
  await settle(10);
  expect([server.arrived, device.all()]).toEqual([[second.id, first.id], []]);
  expect(sender!.get().blockedBy).toBeNull();
});

test('a stalled call counts as a lost connection, not as a bug', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  start(device, createHeldCall(server, 'PATCH')).wake();
  await settle(3 * 45_000 + 500);
  expect(sender!.get()).toMatchObject({ id: null, blockedBy: 'offline' });
});

test('retries if the device’s storage fails while a rejection is being stored', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const commit = vi.fn(server.commit).mockImplementationOnce(() => {
    throw new CallError(413, JSON.stringify({ message: 'Too large.' }));
  });
  const change = vi.fn(device.store.change).mockImplementationOnce(device.store.change);
  change.mockRejectedValueOnce(new TakeStoreError(new Error('The disk has gone')));
  sender = createTakeSender({
    ...server,
    store: { ...device.store, change },
    userId: 'tashi',
    slot: 'recording-audio',
    commit,
  });
  sender.wake();
  await settle(10);
  expect([sender.get().blockedBy, sender.get().id]).toEqual(['device', null]);
  await settle(3_000);
  expect(server.arrived).toEqual([take.id]);
});

test('retries after a lost connection and resumes the upload where it stopped', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  server.state.cutAfterCalls = 2;
  start(device, server).wake();
  await settle(10);
  expect(sender!.get()).toMatchObject({ id: null, blockedBy: 'offline' });
  expect(server.uploads.get(take.id)?.bytes).toHaveLength(262_144);
  expect(device.all()).toHaveLength(1);
  server.state.cutAfterCalls = Infinity;
  await settle(3_000);
  expect([server.arrived, device.all()]).toEqual([[take.id], []]);
});

test('backs off while there is no connection and retries immediately when woken', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  server.state.isDown = true;
  start(device, server).wake();
  await settle(3_600_000);
  expect(server.state.calls).toBeLessThan(40);
  server.state.isDown = false;
  sender!.wake();
  await settle(10);
  expect(server.arrived).toHaveLength(1);
});

test('after a lost confirmation, does not upload or create the recording again', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const commit = vi.fn(server.commit).mockImplementationOnce(async (each) => {
    await server.commit(each);
    throw new CallError(0, 'No connection.');
  });
  start(device, { ...server, commit }).wake();
  await settle(10);
  const callsBefore = server.state.calls;
  expect(device.all()).toHaveLength(1);
  await settle(3_000);
  expect([server.arrived, device.all(), server.state.calls]).toEqual([[take.id], [], callsBefore]);
});

test.each([400, 413, 415])(
  'after a rejection with %d, stores the reason and sends the next take',
  async (status) => {
    const [device, server] = [createMemoryTakeStore(), fakeServer()];
    const first = await queuedTake(device);
    const second = await queuedTake(device);
    const commit = vi.fn(server.commit).mockImplementationOnce(() => {
      throw new CallError(status, JSON.stringify({ message: 'Not like this.' }));
    });
    start(device, { ...server, commit }).wake();
    await settle(10);
    expect(device.all()).toMatchObject([{ id: first.id, state: 'refused', refusal: 'Not like this.' }]);
    expect(server.arrived).toEqual([second.id]);
  },
);

test.each([
  [401, 'signed-out'],
  [500, 'server'],
  [503, 'server'],
])('a take stays queued after a %d response (blocked by: %s)', async (status, blockedBy) => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  server.state.message = 'Unauthorized';
  server.state.status = status;
  start(device, server).wake();
  await settle(10);
  expect(device.all()).toMatchObject([{ state: 'queued' }]);
  expect(sender!.get().blockedBy).toBe(blockedBy);
});

test.each([429, 507])(
  'after a %d response, the take stays queued until Retry-After and is then sent',
  async (status) => {
    const [device, server] = [createMemoryTakeStore(), fakeServer()];
    const take = await queuedTake(device);
    const later = new CallError(status, JSON.stringify({ message: 'There is no room now.' }), 600);
    const commit = vi.fn(server.commit).mockRejectedValueOnce(later);
    start(device, { ...server, commit }).wake();
    await settle(10);
    expect(device.all()).toMatchObject([{ state: 'queued', refusal: null }]);
    expect(sender!.get()).toMatchObject({
      id: null,
      blockedBy: 'asked-to-wait',
      wait: { reason: 'There is no room now.' },
    });
    expect(sender!.get().wait!.until! - Date.now()).toBeGreaterThan(599_000);
    await settle(599_000);
    expect(commit).toHaveBeenCalledTimes(1);
    await settle(70_000);
    expect([server.arrived, device.all()]).toEqual([[take.id], []]);
    expect(sender!.get()).toEqual(IDLE_TAKE_SENDER);
  },
);

test('retries hourly if Retry-After is a day, and immediately when woken', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  const later = new CallError(429, JSON.stringify({ message: 'Enough for today.' }), 86_400);
  const commit = vi.fn(server.commit).mockRejectedValue(later);
  start(device, { ...server, commit }).wake();
  await settle(10);
  await settle(59 * 60_000);
  expect(commit).toHaveBeenCalledTimes(1);
  await settle(8 * 60_000);
  expect(commit).toHaveBeenCalledTimes(2);
  expect(sender!.get().wait!.until! - Date.now()).toBeGreaterThan(23 * 3_600_000);
  sender!.wake();
  await settle(10);
  expect(commit).toHaveBeenCalledTimes(3);
});

test('backs off even if Retry-After repeatedly allows an early retry', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  const soon = new CallError(429, JSON.stringify({ message: 'Too many.' }), 1);
  const commit = vi.fn(server.commit).mockRejectedValue(soon);
  start(device, { ...server, commit }).wake();
  await settle(3_600_000);
  expect(commit.mock.calls.length).toBeLessThan(40);
});

test('a 507 without a message from the server counts as a server error', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  const commit = vi.fn(server.commit).mockRejectedValue(new CallError(507, '<h1>Full</h1>', 600));
  start(device, { ...server, commit }).wake();
  await settle(10);
  expect(sender!.get()).toMatchObject({ blockedBy: 'server', wait: null });
  await settle(590_000);
  expect(commit).toHaveBeenCalledTimes(1);
});

test.each([undefined, {}, '', { id: 'portal' }, null])(
  'a response that is not from the server (%j) does not confirm the take',
  async (answer) => {
    const [device, server] = [createMemoryTakeStore(), fakeServer()];
    const take = await queuedTake(device);
    const commit = vi.fn(server.commit).mockResolvedValueOnce(answer);
    start(device, { ...server, commit }).wake();
    await settle(10);
    expect(device.all()).toMatchObject([{ id: take.id, state: 'queued', mayHaveArrived: true }]);
    expect(sender!.get().blockedBy).toBe('offline');
    await settle(3_000);
    expect([server.arrived, device.all()]).toEqual([[take.id], []]);
  },
);

test.each([
  [403, 'server'],
  [413, 'server'],
  [401, 'server'],
])(
  'a %d response without a server message does not reject the take or sign out',
  async (status, blockedBy) => {
    const [device, server] = [createMemoryTakeStore(), fakeServer()];
    const take = await queuedTake(device);
    const commit = vi.fn(server.commit).mockImplementationOnce(() => {
      throw new CallError(status, '<h1>Please pay for the network</h1>');
    });
    start(device, { ...server, commit }).wake();
    await settle(10);
    expect(device.all()).toMatchObject([{ state: 'queued' }]);
    expect(sender!.get().blockedBy).toBe(blockedBy);
    await settle(3_000);
    expect(server.arrived).toEqual([take.id]);
  },
);

test('retries after too many open uploads (429) instead of rejecting the take', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const call = vi.fn(server.call as unknown as (route: string, options: unknown) => Promise<unknown>);
  call.mockRejectedValueOnce(new CallError(429, JSON.stringify({ message: 'Too many uploads' })));
  start(device, { ...server, call: call as unknown as typeof server.call }).wake();
  await settle(10);
  expect(device.all()).toMatchObject([{ state: 'queued' }]);
  expect(sender!.get().blockedBy).toBe('asked-to-wait');
  await settle(3_000);
  expect(server.arrived).toEqual([take.id]);
});

test('does not send another user’s takes', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  sender = createTakeSender({ ...device, ...server, userId: 'somebody else', slot: 'recording-audio' });
  sender.wake();
  await settle(10);
  expect([server.arrived, device.all().length]).toEqual([[], 1]);
});

test('does not send takes after the sender has ended', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  server.state.isDown = true;
  await queuedTake(device);
  start(device, server).wake();
  await settle(10);
  sender!.end();
  server.state.isDown = false;
  await settle(600_000);
  sender!.wake();
  await settle(10);
  expect(server.arrived).toEqual([]);
});

test('a cancelled take stays on the device, and the next take is sent', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const first = await queuedTake(device);
  const second = await queuedTake(device);
  const connection = createHeldCall(server, 'PATCH');
  start(device, connection).wake();
  await settle(10);
  expect(sender!.get().id).toBe(first.id);
  expect(await sender!.cancel(first.id)).toBe(true);
  connection.release();
  await settle(10);
  expect(device.all()).toMatchObject([{ id: first.id, state: 'recorded' }]);
  expect(server.arrived).toEqual([second.id]);
  expect(server.uploads.has(first.id)).toBe(false);
});

test('discarding a take in another tab stops its upload', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const connection = createHeldCall(server, 'PATCH');
  start(device, connection).wake();
  await settle(10);
  await device.store.remove(take.id);
  await settle(10);
  connection.release();
  await settle(600_000);
  expect([server.arrived, device.all(), server.uploads.size]).toEqual([[], [], 0]);
  expect(device.store.wasSent(take.id)).toBe(false);
});

test('does not commit a take that another tab cancels after the upload is complete', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  // Keeps the sender from being notified when the other tab changes the take.
  const store = { ...device.store, subscribe: () => () => true };
  const uploading = createCallAfterUpload(server, () => device.store.change(take.id, { state: 'recorded' }));
  sender = createTakeSender({ ...uploading, store, userId: 'tashi', slot: 'recording-audio' });
  sender.wake();
  await settle(10);
  expect([server.arrived, device.all()[0]?.state]).toEqual([[], 'recorded']);
});

test('sends a take that the device loses during its upload', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const store = { ...device.store, subscribe: () => () => true };
  const uploading = createCallAfterUpload(server, () => device.store.remove(take.id));
  sender = createTakeSender({ ...uploading, store, userId: 'tashi', slot: 'recording-audio' });
  sender.wake();
  await settle(10);
  expect(server.arrived).toEqual([take.id]);
});

test('a take can’t be cancelled while the server creates its recording', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const commit = vi.fn(async (each: { id: string }) => {
    await held;
    return server.commit(each);
  });
  start(device, { ...server, commit }).wake();
  await settle(10);
  expect(await sender!.cancel(take.id)).toBe(false);
  release();
  await settle(10);
  expect(server.arrived).toEqual([take.id]);
  expect(device.store.wasSent(take.id)).toBe(true);
});

test('a take that may have arrived can’t be cancelled', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const commit = vi.fn(server.commit).mockImplementationOnce(async (each) => {
    await server.commit(each);
    throw new CallError(0, 'No connection.');
  });
  start(device, { ...server, commit }).wake();
  await settle(10);
  expect(await sender!.cancel(take.id)).toBe(false);
  expect(device.all()).toMatchObject([{ state: 'queued', mayHaveArrived: true }]);
  await settle(3_000);
  expect([server.arrived, device.all()]).toEqual([[take.id], []]);
});

test('a take can be cancelled if the server reports that the take has not arrived', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  await device.store.change(take.id, { mayHaveArrived: true });
  const connection = createHeldCall(server, 'PATCH');
  start(device, connection).wake();
  await settle(10);
  expect(await sender!.cancel(take.id)).toBe(true);
  connection.release();
  await settle(10);
  expect(server.arrived).toEqual([]);
});

test('a take that is cancelled while offline is not sent later', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  server.state.isDown = true;
  start(device, server).wake();
  await settle(10);
  expect(await sender!.cancel(take.id)).toBe(true);
  server.state.isDown = false;
  sender!.wake();
  await settle(600_000);
  expect([server.arrived, device.all()[0]?.state]).toEqual([[], 'recorded']);
  expect(await sender!.cancel(take.id)).toBe(false);
});

test('does not send takes if another user is signed in on this device', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  server.state.isOtherUser = true;
  start(device, server).wake();
  await settle(3_600_000);
  expect([server.state.calls, server.uploads.size, device.all()[0]?.state]).toEqual([1, 0, 'queued']);
  expect(sender!.get().blockedBy).toBe('signed-out');
});

test('does not send a take as another user who signs in during its upload', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  const uploading = createCallAfterUpload(server, () => Promise.resolve((server.state.isOtherUser = true)));
  start(device, uploading).wake();
  await settle(10);
  expect([server.arrived, device.all()[0]?.state]).toEqual([[], 'queued']);
  server.state.isOtherUser = false;
  sender!.wake();
  await settle(10);
  expect([server.arrived, device.all()]).toEqual([[take.id], []]);
});

test('retries until the device’s storage can be read again', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  device.break();
  start(device, server).wake();
  await settle(10);
  expect(sender!.get().blockedBy).toBe('device');
  device.break(false);
  await settle(3_000);
  expect(server.arrived).toHaveLength(1);
  expect(sender!.get().blockedBy).toBeNull();
});

test('uses smaller chunks if the connection breaks before the first chunk arrives', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  const take = await queuedTake(device);
  // Sending more than 40 KB in one call breaks the connection, also for the next call.
  let isGone = false;
  const poor = async (route: string, options: { bytes?: Blob }): Promise<unknown> => {
    const isTooMuch = (options.bytes?.size ?? 0) > 40_000;
    const breaks = isGone || isTooMuch;
    isGone = isTooMuch;
    if (breaks) throw new CallError(0, 'No connection.');
    return (server.call as unknown as typeof poor)(route, options);
  };
  start(device, { ...server, call: poor as unknown as typeof callApi }).wake();
  await settle(10 * 60_000);
  expect(server.arrived).toEqual([take.id]);
});

test('does not back off as long as each attempt makes progress', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  start(device, server).wake();
  // Each attempt sends one chunk before the connection is cut.
  for (let tries = 0; tries < 10; tries += 1) {
    server.state.cutAfterCalls = server.state.calls + 2;
    await settle(3_000);
  }
  server.state.cutAfterCalls = Infinity;
  await settle(3_000);
  expect(server.arrived).toHaveLength(1);
});

test('retries soon on a connection that responds but breaks before making progress', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  let isPoor = true;
  const poor = (route: string, options: unknown): Promise<unknown> =>
    isPoor && route.startsWith('PATCH')
      ? Promise.reject(new CallError(0, 'No connection.'))
      : (server.call as unknown as typeof poor)(route, options);
  start(device, { ...server, call: poor as unknown as typeof callApi }).wake();
  await settle(5 * 60_000);
  isPoor = false;
  server.state.isDown = true;
  await settle(3_000);
  server.state.isDown = false;
  await settle(5_000);
  expect(server.arrived).toHaveLength(1);
});

test('counts a chunk as progress even if its response was lost', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  // The response to each chunk is lost, and so is the next call, which asks how many bytes have arrived.
  let isGone = false;
  const deaf = async (route: string, options: unknown): Promise<unknown> => {
    const wasGone = isGone;
    const answer = wasGone ? null : await (server.call as unknown as typeof deaf)(route, options);
    isGone = !wasGone && route.startsWith('PATCH');
    if (wasGone || isGone) throw new CallError(0, 'No connection.');
    return answer;
  };
  start(device, { ...server, call: deaf as unknown as typeof callApi }).wake();
  await settle(2 * 60_000);
  expect(server.arrived).toHaveLength(1);
});

test('when woken, does not wait for a call on a dead connection', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  const connection = createHeldCall(server, 'PATCH');
  start(device, connection).wake();
  await settle(15_000);
  const callsBefore = server.state.calls;
  // The device has a new connection. Calls on the old connection get no response.
  connection.mend();
  sender!.wake();
  await settle(10);
  expect(callsBefore).toBe(1);
  expect(server.arrived).toHaveLength(1);
});

test('retries within a minute if a call gets no response', async () => {
  const [device, server] = [createMemoryTakeStore(), fakeServer()];
  await queuedTake(device);
  const connection = createHeldCall(server, 'PUT');
  start(device, connection).wake();
  await settle(10);
  connection.mend();
  await settle(60_000);
  expect(server.arrived).toHaveLength(1);
});

/**
 * Returns a server that runs `happens` after a complete file has arrived and before the call that creates its
 * recording.
 */
function createCallAfterUpload(server: ReturnType<typeof fakeServer>, happens: () => Promise<unknown>) {
  const call = async (route: string, options: unknown): Promise<unknown> => {
    const answer = await (server.call as unknown as (...given: unknown[]) => Promise<unknown>)(
      route,
      options,
    );
    const isComplete = [...server.uploads.values()].some(({ size, bytes }) => bytes.length === size);
    if (route.startsWith('PATCH') && isComplete) await happens();
    return answer;
  };
  return { ...server, call: call as unknown as typeof server.call };
}

/**
 * Returns a server that holds each call with this method until `release` is called or the call is aborted.
 * After `mend`, the server responds to further calls immediately.
 */
function createHeldCall(server: ReturnType<typeof fakeServer>, method: string) {
  let release = () => {};
  let isHeld = true;
  const held = new Promise<void>((resolve) => (release = resolve));
  const heldCall = async (route: string, options: { signal?: AbortSignal }): Promise<unknown> => {
    if (isHeld && route.startsWith(method))
      await Promise.race([
        held,
        new Promise((_, reject) =>
          options.signal?.addEventListener('abort', () => reject(options.signal!.reason as Error)),
        ),
      ]);
    return (server.call as unknown as (route: string, options: unknown) => Promise<unknown>)(route, options);
  };
  return {
    ...server,
    call: heldCall as unknown as typeof callApi,
    release: () => release(),
    mend: () => (isHeld = false),
  };
}

/** Creates a commit call that runs until it is aborted. */
const atWork = () =>
  vi.fn(
    (_: unknown, signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new CallError(0, 'No connection.')));
      }),
  );
const visiblePage = () =>
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));

test('shows the progress of a long inspection and does not abort the call', async () => {
  visiblePage();
  const [device, server, commit] = [createMemoryTakeStore(), fakeServer(), atWork()];
  const { id } = await queuedTake(device, 300);
  server.state.examination = { step: 'running', fraction: 0.4 };
  start(device, { ...server, commit }).wake();
  await settle(3_900);
  expect(sender!.get()).toEqual({ ...IDLE_TAKE_SENDER, id, fraction: 1 });
  await settle(600_000);
  expect(sender!.get()).toEqual({
    ...IDLE_TAKE_SENDER,
    id,
    fraction: 1,
    inspectionProgress: server.state.examination,
  });
  expect([commit.mock.calls.length, server.state.examined[0]]).toEqual([1, id]);

  // After a restart, the server reports no inspection, so the stalled call is aborted and repeated.
  server.state.examination = null;
  await settle(60_000);
  expect([commit.mock.calls.length, sender!.get().inspectionProgress]).toEqual([2, null]);
});

test('does not poll the inspection of a take shorter than five minutes', async () => {
  visiblePage();
  const [device, server, commit] = [createMemoryTakeStore(), fakeServer(), atWork()];
  await queuedTake(device, 299);
  start(device, { ...server, commit }).wake();
  await settle(600_000);
  expect(commit.mock.calls.length).toBeGreaterThan(1);
  expect(server.state.examined).toEqual([]);
});
