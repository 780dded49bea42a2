import { expect, test } from 'vitest';
import type { ServerNotice } from '../contract.ts';
import { getNoticeMessage } from './notice-messages.ts';

const textOf = (kind: ServerNotice['kind'], detail: ServerNotice['detail']) =>
  getNoticeMessage({ kind, detail, since: '2026-11-20T10:00:00.000Z' }).text;

test('each notice explains what happened, what is safe and whom to ask', () => {
  expect(textOf('disk-low', { least: 1e9 })).toMatch(/^Less than 1 GB is left .* is safe.* whoever runs/);
  expect(textOf('sweep-held', { files: 1_200, of: 1_500 })).toMatch(
    /^1,200 of 1,500 stored files .* Nothing was moved or deleted.* whoever runs/,
  );
  expect(textOf('backup-failed', {})).toMatch(/^Nothing is lost.* tried again every hour\. .* whoever runs/);
  expect(textOf('no-backup', {})).toMatch(
    /^To back up every night, ask whoever runs the server to set BACKUP_DIR\./,
  );
  expect(textOf('backup-overdue', { days: 3, taken: 1 })).toMatch(
    /^There should be a backup .* whoever runs/,
  );
  expect(textOf('restore-failed', {})).toMatch(/^Nothing is lost.* might not help.* whoever runs/);
  expect(textOf('restore-untested', { noRoom: 1 })).toMatch(/too little space.* whoever runs/);
  expect(textOf('restore-untested', { noRoom: 0 })).toMatch(/isn’t possible on this server.* whoever runs/);
  expect(textOf('bucket-missing', {})).toMatch(/^Until it’s back, .* whoever runs .* S3_BUCKET/);
});

test.each([
  [{ missing: 1, changed: 0 }, '1 file is missing. It can’t be played or shown as it was sent.'],
  [{ missing: 0, changed: 2 }, '2 files are damaged. They can’t be played or shown as they were sent.'],
  [{ missing: 3, changed: 1 }, '3 files are missing, and 1 file is damaged.'],
  [{}, 'Some are missing or damaged.'],
])('the notice about damaged files counts missing and damaged files: %j', (detail, sentence) => {
  expect(textOf('files-damaged', detail as ServerNotice['detail']).startsWith(sentence)).toBe(true);
});
