import { beforeEach, expect, test } from 'vitest';
import type { Log } from '../log.ts';
import { type DiskSpace, createDiskSpaceMonitor, isOutOfSpaceError, watchDiskSpace } from './disk-space.ts';

let size: DiskSpace;
let said: string[];
let notices: string[];
let noticesFail: boolean;

const log = {
  warn: (_: unknown, text: string) => said.push(text),
  info: (_: unknown, text: string) => said.push(text),
} as unknown as Log;

function aDisk({
  minFree = 100,
  rememberedForMs = 0,
}: { minFree?: number | null; rememberedForMs?: number } = {}) {
  const say = (text: string) => {
    if (noticesFail) return Promise.reject(new Error('The database is away'));
    notices.push(text);
    return Promise.resolve();
  };
  return createDiskSpaceMonitor({
    measure: () => Promise.resolve(size),
    minFree,
    notices: {
      raise: (kind, detail) => say(`raise ${kind} ${detail?.least}`),
      clear: (kind) => say(`clear ${kind}`),
    },
    log,
    rememberedForMs,
  });
}

beforeEach(() => {
  size = { free: 1_000, total: 10_000 };
  said = [];
  notices = [];
  noticesFail = false;
});

const FULL = { code: 'storage-full', retryAfter: 300 };

test('rejects a write that would leave less free space than the reserve', async () => {
  const disk = aDisk();
  await disk.assertRoom(900, 0);
  await expect(disk.assertRoom(901, 0)).rejects.toMatchObject(FULL);
});

test.each([
  [{ free: 31, total: 1_000 }, 1],
  [{ free: 1e9 + 5, total: 1e12 }, 5],
])('by default, reserves 3 % of the disk, but at most 1 GB (%j)', async (measured, fits) => {
  size = measured;
  const disk = aDisk({ minFree: null });
  await disk.assertRoom(fits, 0);
  await expect(disk.assertRoom(fits + 1, 0)).rejects.toMatchObject(FULL);
});

test('accepts any write if the size of the disk is unknown', async () => {
  size = { free: 0, total: 0 };
  await aDisk().assertRoom(1e12, 0);
});

test('accepts only as many concurrent files as the disk has room for', async () => {
  const disk = aDisk();
  const outcomes: string[] = [];
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const writes = Array.from({ length: 10 }, () =>
    disk
      .withReservedRoom(200, () => ended)
      .then(
        () => outcomes.push('taken'),
        () => outcomes.push('refused'),
      ),
  );
  await expect.poll(() => outcomes).toEqual(Array(6).fill('refused'));
  end();
  await Promise.all(writes);
  expect(outcomes.filter((each) => each === 'taken')).toHaveLength(4);
  // Finished writes no longer count after the disk is measured again. Space reserved elsewhere counts too.
  await disk.assertRoom(900, 0);
  await expect(disk.assertRoom(100, 801)).rejects.toMatchObject(FULL);
});

test('counts bytes written since the last measurement as used', async () => {
  const disk = createDiskSpaceMonitor({
    measure: () => Promise.resolve(size),
    minFree: 100,
    notices: { raise: () => Promise.resolve(), clear: () => Promise.resolve() },
    log,
    rememberedForMs: Infinity,
  });
  await disk.withReservedRoom(600, () => Promise.resolve());
  await expect(disk.assertRoom(301, 0)).rejects.toMatchObject(FULL);
  await disk.assertRoom(300, 0);
});

test('releases the disk space reserved for a failed write', async () => {
  const disk = aDisk();
  await expect(disk.withReservedRoom(900, () => Promise.reject(new Error('torn')))).rejects.toThrow('torn');
  await disk.assertRoom(900, 0);
});

test('space counts as low if bytes written since the last measurement use it up', async () => {
  const disk = aDisk({ rememberedForMs: 60_000 });
  await disk.withReservedRoom(500, () => Promise.resolve());
  await expect(disk.assertRoom(401, 0)).rejects.toMatchObject(FULL);
  expect(disk.isLow()).toBe(true);
});

test('logs once that disk space is low and once that it has recovered', async () => {
  const disk = aDisk();
  await disk.check();
  expect([disk.isLow(), said, notices]).toEqual([false, [], ['clear disk-low']]);
  notices = [];
  for (const free of [99, 101, 98, 109]) {
    size = { ...size, free };
    await disk.check();
  }
  expect([disk.isLow(), said.length, new Set(notices)]).toEqual([true, 1, new Set(['raise disk-low 100'])]);
  expect(said[0]).toMatch(/nearly full/);
  notices = [];
  for (const free of [120, 130]) {
    size = { ...size, free };
    await disk.check();
  }
  expect([disk.isLow(), said.length, notices]).toEqual([false, 2, ['clear disk-low']]);
});

test('after a rejected write, space counts as low until that write would fit', async () => {
  size = { ...size, free: 150 };
  const disk = aDisk();
  await expect(disk.assertRoom(60, 0)).rejects.toMatchObject(FULL);
  expect(disk.isLow()).toBe(true);
  await disk.check();
  expect(disk.isLow()).toBe(true);
  size = { ...size, free: 170 };
  await disk.check();
  expect(disk.isLow()).toBe(false);
  expect(said).toHaveLength(2);
});

test('space does not count as low if only reservations cause a write to be rejected', async () => {
  const disk = aDisk();
  await expect(disk.assertRoom(60, 5_000)).rejects.toMatchObject(FULL);
  expect(disk.isLow()).toBe(false);
});

test('the next check retries updating the notice if the database rejected the update', async () => {
  const disk = aDisk();
  await disk.check();
  notices = [];
  noticesFail = true;
  size = { ...size, free: 50 };
  await disk.check();
  size = { ...size, free: 500 };
  await disk.check();
  noticesFail = false;
  await disk.check();
  await disk.check();
  expect(notices).toEqual(['clear disk-low']);
});

test('detects low and recovered disk space at intervals, even without uploads', async () => {
  size = { ...size, free: 50 };
  const disk = aDisk();
  const watch = watchDiskSpace(disk, log, 1);
  await expect.poll(() => disk.isLow()).toBe(true);
  size = { ...size, free: 500 };
  await expect.poll(() => disk.isLow()).toBe(false);
  await watch.stop();
});

test('recognizes a full disk by the code of an error or of its cause', () => {
  const full = (code: string) => Object.assign(new Error('no space'), { code });
  expect(isOutOfSpaceError(new Error('staging', { cause: full('ENOSPC') }))).toBe(true);
  expect(isOutOfSpaceError(full('EDQUOT'))).toBe(true);
  expect(isOutOfSpaceError(new Error('Failed query', { cause: full('53100') }))).toBe(true);
  expect([new Error('x'), full('ENOENT'), null, 'ENOSPC'].some(isOutOfSpaceError)).toBe(false);
});
