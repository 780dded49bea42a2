import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { createNoticesService } from './notices.ts';

const app = await startTestApp();

test('raising a notice again keeps its time and updates its numbers', async () => {
  const notices = createNoticesService(app.db);
  await notices.raise('files-damaged', { files: 1 });
  const [first] = await notices.list();
  await notices.raise('files-damaged', { files: 3 });
  expect(await notices.list()).toEqual([
    { kind: 'files-damaged', detail: { files: 3 }, since: first!.since },
  ]);
  await notices.clear('files-damaged');
  await notices.clear('files-damaged');
  expect(await notices.list()).toEqual([]);
});
