import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildMelody,
  buildStudent,
  buildTeacher,
  mockLibrary,
  toListedUser,
} from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectText, page, pressKeyOn, toastItem } from '#testing/browser/screen.ts';

const download = page.getByRole('button', { name: 'Download your data' });
const outcome = page.getByRole('main').getByRole('status').filter({ hasText: 'download' });
const BUSY = 'Your other downloads are still running.';

test('a student downloads all their data from the Profile page and sees the size', async () => {
  const student = buildStudent();
  mockEndpoint(api.exports.sizeOfStudent, { recordings: 34, replies: 1, bytes: 120_400_000 });
  await renderPage('/change-password', { user: student });
  await pressKeyOn(download, 'Enter');
  const begun = 'Download started.34 recordings, 1 with feedback, 120.4 MB. Your browser shows its progress.';
  await expectText(outcome, begun);
  await expectText(toastItem, 'Download started.');
  expect(getCalls(api.exports.sizeOfStudent)[0]?.path).toBe(`/api/users/${student.id}/export/size`);
  expect(navigationsAndDownloads).toEqual([`/api/users/${student.id}/export`]);
  await expect.element(download).toHaveFocus();
});

test('explains why a download can’t start: no data yet, or other downloads running', async () => {
  mockEndpoint(api.exports.sizeOfStudent, { recordings: 0, replies: 0, bytes: 0 });
  await renderPage('/change-password', { user: buildStudent() });
  await pressKeyOn(download, 'Enter');
  await expectText(outcome, 'There is nothing to download yet.');
  rejectCalls(api.exports.sizeOfStudent, 429, { message: BUSY });
  await pressKeyOn(download, 'Enter');
  await expectText(page.getByRole('main').getByRole('alert'), `The download couldn’t start.${BUSY}`);
  expect(navigationsAndDownloads).toEqual([]);
});

test('a teacher can download all data of a student, but has no download of her own', async () => {
  const [teacher, student] = [buildTeacher(), toListedUser(buildStudent())];
  mockEndpoint(api.users.list, [student, toListedUser(teacher)]);
  mockEndpoint(api.users.one, ({ path }) => (path.endsWith(student.id) ? student : toListedUser(teacher)));
  mockEndpoint(api.users.accessList, []);
  mockEndpoint(api.exports.sizeOfStudent, { recordings: 1, replies: 0, bytes: 640_000 });
  await renderPage(`/admin/users?user=${student.id}`, { user: teacher });
  const panel = page.getByRole('region', { name: 'Selected user' });
  await page.getByText('Sign-in help and downloads').click();
  await pressKeyOn(panel.getByRole('button', { name: 'Download everything' }), 'Enter');
  await expectText(outcome, 'Download started.1 recording, 640 KB. Your browser shows its progress.');
  expect(navigationsAndDownloads).toEqual([`/api/users/${student.id}/export`]);
  await renderPage('/change-password', { user: teacher });
  await expect.element(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible();
  await expect.element(download).not.toBeInTheDocument();
  await renderPage(`/admin/users?user=${teacher.id}`, { user: teacher });
  await expect.element(page.getByText('Admins have access to all levels')).toBeVisible();
  await expect.element(download).not.toBeInTheDocument();
});

test('a teacher can download the library from the melodies page, but a student can’t', async () => {
  mockLibrary([buildMelody('Refuge')]);
  mockEndpoint(api.exports.sizeOfLibrary, { melodies: 212, bytes: 5_300_000_000 });
  const button = page.getByRole('button', { name: 'Download the library' });
  await renderPage('/melodies', { user: buildTeacher() });
  await pressKeyOn(button, 'Enter');
  await expectText(outcome, 'Download started.212 melodies, 5.3 GB. Your browser shows its progress.');
  expect(navigationsAndDownloads).toEqual(['/api/admin/library/export']);
  await renderPage('/melodies', { user: buildStudent() });
  await expect.element(page.getByRole('heading', { name: 'Refuge' })).toBeVisible();
  await expect.element(button).not.toBeInTheDocument();
});
