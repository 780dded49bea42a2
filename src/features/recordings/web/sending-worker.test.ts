import { expect, test } from 'vitest';
import { type callApi, CallError } from '#web/api/call.ts';
import { TEST_TAKE, createMemoryTakeStore } from './takes/take-fakes.ts';
import { sendTakesInBackground } from './sending-worker.ts';

/** Fakes a server with one session. The server rejects calls that expect another user. */
function fakeServer(user: string | null) {
  const session = { user, isDown: false, onBegin: () => {} };
  const made: unknown[] = [];
  const answer = (route: string, options: unknown) => {
    const { expectedUser, onProgress, form, bytes } = (options ?? {}) as Record<string, unknown>;
    if (session.isDown) throw new CallError(0, 'No connection.');
    if (session.user === null) throw new CallError(401, JSON.stringify({ message: 'Unauthorized' }));
    if (route === 'GET /api/user') return { id: session.user };
    if (onProgress) throw new TypeError('XMLHttpRequest is not defined');
    if (expectedUser !== undefined && expectedUser !== session.user)
      throw new CallError(412, JSON.stringify({ message: 'Somebody else is signed in.' }));
    if (route.startsWith('PUT')) {
      session.onBegin();
      return { received: 0 };
    }
    if (route.startsWith('PATCH')) return { received: (bytes as Blob).size };
    made.push({ of: session.user, title: (form as { title: string }).title });
    return { id: made.length };
  };
  const fakeCall = ((route: string, options: unknown) =>
    Promise.resolve().then(() => answer(route, options))) as typeof callApi;
  return { session, made, call: fakeCall };
}

async function deviceOf(...users: string[]) {
  const device = createMemoryTakeStore();
  for (const userId of users) {
    const { id } = await device.store.keepFile({ ...TEST_TAKE, userId }, new Blob(['song']), {
      seconds: 1,
      peaks: null,
    });
    await device.store.change(id, {
      state: 'queued',
      sending: { title: `Of ${userId}`, message: '', melodyId: null },
    });
  }
  return device;
}

const wake = ({ store }: ReturnType<typeof createMemoryTakeStore>, { call }: ReturnType<typeof fakeServer>) =>
  sendTakesInBackground(() => Promise.resolve([]), { call, openStore: () => store });

test('sends only the signed-in user’s recordings when no page is open', async () => {
  const [device, server] = [await deviceOf('pema', 'tashi', 'tashi'), fakeServer('tashi')];
  await wake(device, server);
  expect(server.made).toEqual([
    { of: 'tashi', title: 'Of tashi' },
    { of: 'tashi', title: 'Of tashi' },
  ]);
  expect(device.all()).toMatchObject([{ userId: 'pema', state: 'queued' }]);
});

test('does not send recordings or request a retry when nobody is signed in', async () => {
  const [device, server] = [await deviceOf('tashi'), fakeServer(null)];
  await wake(device, server);
  expect(server.made).toEqual([]);
  expect(device.all()).toMatchObject([{ state: 'queued' }]);
});

test('does not send a recording as another user who signs in during the upload', async () => {
  const [device, server] = [await deviceOf('tashi'), fakeServer('tashi')];
  server.session.onBegin = () => (server.session.user = 'pema');
  await wake(device, server);
  expect(server.made).toEqual([]);
  expect(device.all()).toMatchObject([{ userId: 'tashi', state: 'queued' }]);
});

test('while offline, keeps recordings on the device and lets the browser retry', async () => {
  const [device, server] = [await deviceOf('tashi'), fakeServer('tashi')];
  server.session.onBegin = () => (server.session.isDown = true);
  await expect(wake(device, server)).rejects.toThrow('Not sent: offline');
  expect(device.all()).toMatchObject([{ state: 'queued' }]);
  server.session.onBegin = () => {};
  await expect(wake(device, server)).rejects.toThrow('No connection');
  server.session.isDown = false;
  await wake(device, server);
  expect(device.all()).toEqual([]);
});

test('wakes an open page before the worker sends recordings', async () => {
  const [device, server] = [await deviceOf('tashi'), fakeServer('tashi')];
  const heard: unknown[] = [];
  const page = { postMessage: (message: string) => heard.push([message, server.made.length]) };
  await sendTakesInBackground(() => Promise.resolve([page]), {
    call: server.call,
    openStore: () => device.store,
  });
  expect(heard).toEqual([['send takes', 0]]);
  expect(server.made).toHaveLength(1);
});
