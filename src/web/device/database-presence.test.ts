import { expect, test, vi } from 'vitest';
import { notifyDatabaseOpened, onceDatabaseMayExist } from './database-presence.ts';

function onDeviceWith(databases: () => Promise<unknown[]>) {
  vi.stubGlobal('indexedDB', { databases });
  const listener = vi.fn();
  const stop = onceDatabaseMayExist(listener);
  return { listener, stop };
}
const listed = () => new Promise((resolve) => setTimeout(resolve));

test('notifies once if the device already has a database', async () => {
  const { listener } = onDeviceWith(() => Promise.resolve([{ name: 'takes' }]));
  await listed();
  notifyDatabaseOpened();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('notifies when the device’s first database is opened', async () => {
  const { listener } = onDeviceWith(() => Promise.resolve([]));
  await listed();
  expect(listener).not.toHaveBeenCalled();
  notifyDatabaseOpened();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('notifies immediately if the browser cannot list its databases', async () => {
  const { listener } = onDeviceWith(() => Promise.reject(new TypeError('databases is not a function')));
  await listed();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('does not notify after the caller has stopped waiting', async () => {
  const { listener, stop } = onDeviceWith(() => Promise.resolve([{ name: 'takes' }]));
  stop();
  await listed();
  notifyDatabaseOpened();
  expect(listener).not.toHaveBeenCalled();
});
