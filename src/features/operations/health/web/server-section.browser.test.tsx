import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildTeacher, mockMailOverview, toListedUser } from '#testing/browser/community.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { mockEndpoint } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectText, page } from '#testing/browser/screen.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const teacher = buildTeacher();
const server = page.getByRole('region', { name: 'Server' });

async function openUsersPage() {
  mockEndpoint(api.users.list, [toListedUser(teacher)], { pageSize: 40 });
  await renderPage('/admin/users', { user: teacher });
  await expect.element(server).toBeVisible();
}

test('the server section says that each part works', async () => {
  mockEndpoint(api.backups.state, {
    isNightly: true,
    latest: { takenAt: new Date(), bytes: 12_300_000 },
    restoreProvenAt: new Date(Date.now() - 3 * DAY_MS),
    restoreFailedAt: null,
    isOverdue: false,
  });
  await openUsersPage();
  await expectText(server, 'Everything can be saved.');
  await expectText(server, 'All recordings and melodies can be played.');
  await expectText(server, 'All emails have been sent.');
  await expectText(server, /The last backup was taken .*\. It is 12\.3 MB and was checked\./);
  await expectText(server, 'Last proven restore: 3 days ago');
  await expectText(server, '123 GB of 250 GB are free.');
  await expectText(server, /Version ?0\.2\.0/);
});

test('the server section says what to do about each problem', async () => {
  mockEndpoint(api.health.status, {
    version: '0.2.0',
    database: { isWritable: false },
    media: { state: 'ok', damagedFiles: 2 },
    disk: { freeBytes: 1e9, totalBytes: 250e9, isLow: true },
  });
  mockMailOverview({ hasServer: false });
  mockEndpoint(api.backups.state, {
    isNightly: true,
    latest: { takenAt: new Date(Date.now() - 9 * DAY_MS), bytes: 12_300_000 },
    restoreProvenAt: null,
    restoreFailedAt: new Date(Date.now() - 2 * 60 * 60 * 1000),
    isOverdue: true,
  });
  await openUsersPage();
  await expectText(
    server,
    /Nothing can be saved right now\. .* Please show this to whoever runs the server\./,
  );
  await expectText(server, '2 files are missing or damaged.');
  await expectText(server, 'There is no mail server, so you pass on each email yourself.');
  await expectText(server, /The last backup was taken last week.* There should be one every night\./);
  await expectText(
    server,
    /No backup has been restored in a test yet\..* The last test, 2 hours ago.*, failed/,
  );
  await expectText(server, '1 GB of 250 GB are free. That is too little');
  await expectAccessibleWithoutOverflow('the state of the server');
});

test('without nightly backups, the server section explains how to set them up', async () => {
  mockEndpoint(api.health.status, {
    version: '0.2.0',
    database: { isWritable: true },
    media: { state: 'failed', damagedFiles: 0 },
    disk: null,
  });
  await openUsersPage();
  await expectText(server, /No backup yet\. .* to set BACKUP_DIR\./);
  await expectText(server, 'Recordings and melodies can’t be played or sent right now.');
});
