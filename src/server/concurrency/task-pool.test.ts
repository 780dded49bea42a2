import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTaskPool } from './task-pool.ts';

/** Creates tasks that run until they are resolved or rejected, and lists them in the order of their start. */
function createManualTasks() {
  const started: PromiseWithResolvers<void>[] = [];
  const task = () => {
    const one = Promise.withResolvers<void>();
    started.push(one);
    return one.promise;
  };
  return { started, task };
}

test('a full pool starts the next task when one has ended', async () => {
  const { started, task } = createManualTasks();
  const pool = createTaskPool(2);
  await pool.add(task);
  await pool.add(task);
  const third = pool.add(task);
  await setImmediate();
  expect(started).toHaveLength(2);
  started[1]!.resolve();
  await third;
  expect(started).toHaveLength(3);
  started[0]!.resolve();
  started[2]!.resolve();
  await pool.drain();
});

test('after a failure, a pool starts no more tasks, and settle() waits for the others', async () => {
  const { started, task } = createManualTasks();
  const pool = createTaskPool(2);
  await pool.add(task);
  await pool.add(task);
  started[0]!.reject(new Error('full'));
  await expect(pool.add(task)).rejects.toThrow('full');
  expect(started).toHaveLength(2);
  let isSettled = false;
  const settled = pool.settle().then(() => (isSettled = true));
  await setImmediate();
  expect(isSettled).toBe(false);
  started[1]!.resolve();
  await settled;
  await expect(pool.drain()).rejects.toThrow('full');
});
