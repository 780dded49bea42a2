import { expect, test, vi } from 'vitest';
import { noteDatabase, onceDatabaseExists } from './has-database.ts';

function onDeviceWith(databases: () => Promise<unknown[]>) {
  vi.stubGlobal('indexedDB', { databases });
  const listener = vi.fn();
  const stop = onceDatabaseExists(listener);
  return { listener, stop };
}
const listed = () => new Promise((resolve) => setTimeout(resolve));

test('a device that has a database is noticed once', async () => {
  const { listener } = onDeviceWith(() => Promise.resolve([{ name: 'takes' }]));
  await listed();
  noteDatabase();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a device without a database is noticed when it opens one', async () => {
  const { listener } = onDeviceWith(() => Promise.resolve([]));
  await listed();
  expect(listener).not.toHaveBeenCalled();
  noteDatabase();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a browser that cannot list its databases counts as having one', async () => {
  const { listener } = onDeviceWith(() => Promise.reject(new TypeError('databases is not a function')));
  await listed();
  expect(listener).toHaveBeenCalledTimes(1);
});

test('nothing is noticed after the wait is stopped', async () => {
  const { listener, stop } = onDeviceWith(() => Promise.resolve([{ name: 'takes' }]));
  stop();
  await listed();
  noteDatabase();
  expect(listener).not.toHaveBeenCalled();
});
