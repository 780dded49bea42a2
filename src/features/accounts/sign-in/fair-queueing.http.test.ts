import { setTimeout as sleep } from 'node:timers/promises';
import argon2 from '@node-rs/argon2';
import { beforeEach, expect, test, vi } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { countLockWaiters } from '#testing/wait-for.ts';

/** Passwords that were compared with a hash, in order. Comparisons wait for `gate`. */
const compared: string[] = [];
let gate: Promise<void> = Promise.resolve();

beforeEach(() => {
  vi.spyOn(argon2, 'verify').mockImplementation(async (_hashed, password) => {
    await gate;
    compared.push(String(password));
    return password === TEST_PASSWORD;
  });
});

const app = await startTestApp({ alone: true, environment: { TRUST_PROXY: '1' } });

const signIn = (username: string, password: string, address: string, signal?: AbortSignal) =>
  app
    .visitor()
    .post(
      '/api/login',
      { username, password },
      { headers: { 'x-forwarded-for': address }, ...(signal && { signal }) },
    );

/**
 * Holds all comparisons until `open` is called. `untilTried` waits until the database contains `count`
 * attempts, including those of earlier tests, and the new ones are queued.
 */
function closeGate() {
  compared.length = 0;
  let open!: () => void;
  gate = new Promise((resolve) => (open = resolve));
  return {
    open,
    async untilTried(count: number) {
      while ((await app.count('attempts')) < count) await sleep(5);
      // Waits until no database connection is in use. By then, every attempt has been counted and is queued.
      while (app.database.pool.idleCount < app.database.pool.totalCount) await sleep(5);
    },
  };
}

test('many sign-ins with one name, known or unknown, don’t delay a teacher’s sign-in', async () => {
  const teacher = await app.make.teacher();
  const student = await app.make.student();
  for (const name of [student.username, 'nobody-at-all']) {
    const before = await app.count('attempts');
    const { open, untilTried } = closeGate();
    const many = Array.from({ length: 30 }, (_, i) => signIn(name, TEST_PASSWORD, `10.3.${i}.1`));
    await untilTried(before + 30);
    // The teacher signs in from the same network as one of the other clients.
    const teachers = signIn(teacher.username, TEST_PASSWORD.slice(1), '10.3.0.1');
    await untilTried(before + 31);
    open();
    expect((await teachers).status).toBe(401);
    const statuses = new Set((await Promise.all(many)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([name === student.username ? 200 : 401]));
    expect(compared).toHaveLength(31);
    // Two of the other sign-ins had already started, and another network's turn may come before the teacher's.
    expect(compared.indexOf(TEST_PASSWORD.slice(1))).toBeLessThanOrEqual(3);
  }
});

test('after a client disconnects, its password is not compared or counted', async () => {
  const student = await app.make.student();
  const before = await app.count('attempts');
  const { open, untilTried } = closeGate();
  const first = [1, 2].map((i) => signIn(`nobody-${i}`, 'guess', '10.4.0.1'));
  await untilTried(before + 2);
  const leaving = new AbortController();
  const aborted = signIn(student.username, 'given up', '10.4.0.2', leaving.signal);
  await untilTried(before + 3);
  leaving.abort();
  await expect(aborted).rejects.toThrow();
  while ((await app.count('attempts')) !== before + 2) await sleep(5);
  open();
  await Promise.all(first);
  expect(compared).toEqual(['guess', 'guess']);
});

test('checks two sign-ins per network at a time, without delaying other networks', async () => {
  gate = Promise.resolve();
  const holder = await app.database.pool.connect();
  await holder.query('begin; lock table users in access exclusive mode');
  const tries = Array.from({ length: 8 }, (_, i) => signIn(`nobody-${i}`, 'guess', '10.5.0.1'));
  try {
    await expect.poll(() => countLockWaiters(app.db)).toBe(2);
    tries.push(signIn('nobody', 'guess', '10.5.0.2'));
    await expect.poll(() => countLockWaiters(app.db)).toBe(3);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array<number>(9).fill(401));
});
