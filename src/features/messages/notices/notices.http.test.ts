import { afterEach, expect, test } from 'vitest';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { DiskSpace } from '#server/media/disk-space.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';

const PLENTY = { free: 50_000_000_000, total: 1e12 };
let size: DiskSpace = PLENTY;
const app = await startTestApp({ measureDisk: () => Promise.resolve(size) });
const teacher = await app.make.teacher();
const teacherClient = await app.as(teacher);
const student = await app.make.student();
const ADDRESS = '/api/admin/notices';
const listed = async () => (await teacherClient.get(ADDRESS)).body as unknown;

afterEach(async () => {
  size = PLENTY;
  for (const kind of ['disk-low', 'sweep-held', 'files-damaged'] as const)
    await app.services.notices.clear(kind);
});

test('the teacher sees a notice while the disk is nearly full', async () => {
  await app.disk.check();
  expect(await listed()).toEqual([]);
  size = { ...PLENTY, free: 999_999_999 };
  await app.disk.check();
  await app.disk.check();
  expect(await listed()).toEqual([
    { kind: 'disk-low', detail: { least: 1_000_000_000 }, since: expect.any(String) as unknown },
  ]);
  size = PLENTY;
  await app.disk.check();
  expect(await listed()).toEqual([]);
});

test('a recording rejected for lack of space raises a notice', async () => {
  size = { ...PLENTY, free: 1_000_000_010 };
  await app.disk.check();
  expect(await listed()).toEqual([]);
  const client = await app.as(student);
  const audio = { bytes: createTone(1), name: 'song.wav' };
  expect((await client.form('/api/recordings', { title: 'Sung', audio })).status).toBe(507);
  await waitFor(async () => expect(await listed()).toMatchObject([{ kind: 'disk-low' }]));
});

test('only teachers’ pages are notified of new, changed and resolved notices', async () => {
  const pages = [
    await teacherClient.stream('/api/events'),
    await (await app.as(student)).stream('/api/events'),
  ];
  const refreshCounts = (address: string) =>
    pages.map(
      ({ events }) =>
        events.filter((event) => (event as { refreshes: string[] }).refreshes.includes(address)).length,
    );
  let marks = 0;
  /**
   * Returns how often each page was notified. First announces another change and waits for it: changes arrive
   * in order, so all earlier ones have then arrived too.
   */
  const notified = async () => {
    marks += 1;
    await announceChange(app.db, { to: [ALL_ADMINS, student.id], refreshes: ['/api/melodies'] });
    await waitFor(() => expect(refreshCounts('/api/melodies')).toEqual([marks, marks]));
    return refreshCounts(ADDRESS);
  };
  // Ignores notifications left over from earlier tests.
  const [before = 0] = await notified();
  const { raise, clear } = app.services.notices;
  for (const [act, count] of [
    [() => raise('files-damaged', { missing: 1 }), 1],
    [() => raise('files-damaged', { missing: 1 }), 1],
    [() => raise('files-damaged', { missing: 2 }), 2],
    [() => clear('files-damaged'), 3],
    [() => clear('files-damaged'), 3],
    [() => raise('sweep-held', { files: 9, of: 10 }), 4],
  ] as const) {
    await act();
    expect(await notified()).toEqual([before + count, 0]);
  }
  await Promise.all(pages.map((page) => page.close()));
});
