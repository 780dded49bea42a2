import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildTeacher } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, pressKeyOn } from '#testing/browser/screen.ts';
// Imported here so that the module is already loaded when the page needs it, even on a busy machine.
import './notice-list.tsx';

const since = new Date();
const damaged = { kind: 'files-damaged' as const, detail: { missing: 1, changed: 0 }, since };
const noBackup = { kind: 'no-backup' as const, detail: {}, since };

test('the teacher can hide a notice about missing backups, but not about damaged files', async () => {
  let notices: (typeof damaged | typeof noBackup)[] = [damaged, noBackup];
  mockEndpoint(api.notices.list, () => notices);
  await renderPage('/past-feedback', { user: buildTeacher() });
  await expect.element(page.getByText('No backup yet')).toBeVisible();
  const hide = page.getByRole('button', { name: 'Hide for three months' });
  await expectCount(hide, 1);
  await expectAccessibleWithoutOverflow('a notice that can be hidden');
  rejectCalls(api.notices.dismiss, 503, { message: 'Please try again.', times: 1 });
  await pressKeyOn(hide, 'Enter');
  await expect.element(page.getByRole('alert').getByText('Please try again.')).toBeVisible();
  mockEndpoint(api.notices.dismiss, () => {
    notices = [damaged];
    return { message: 'Hidden' };
  });
  await pressKeyOn(hide, 'Enter');
  await expectCount(page.getByText('No backup yet'), 0);
  await expect.element(page.getByText('Some stored files are damaged')).toBeVisible();
  expect(document.activeElement?.id).toBe('content');
  expect(getCalls(api.notices.dismiss)).toHaveLength(2);
});
