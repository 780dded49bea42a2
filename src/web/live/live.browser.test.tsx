import { afterEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildTeacher,
  mockLibrary,
  type FeedbackFixture,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalls } from '#testing/browser/fake-api.ts';
import {
  hasEventStream,
  openPageWithStream,
  sendStreamReopenedMessage,
  setTabVisibility,
  sendChanges,
} from '#testing/browser/fake-event-stream.ts';
import { mockInbox, withdrawRecording } from '#testing/browser/inbox.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, userEvent } from '#testing/browser/screen.ts';

const user = buildTeacher();
/** Returns a link in the main menu, whether or not it has a count. */
const findMenuLink = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

const about = page.getByRole('region', { name: 'About this server' });
const damaged = { kind: 'files-damaged' as const, detail: { missing: 2, changed: 1 }, since: new Date() };

afterEach(() => setTabVisibility('visible'));

async function hideMeanwhile(change: () => void) {
  setTabVisibility('hidden');
  await expect.poll(hasEventStream).toBe(false);
  change();
  setTabVisibility('visible');
  await expect.poll(hasEventStream).toBe(true);
  sendStreamReopenedMessage();
}

test('when a tab becomes visible, its list and badge show the changes it missed', async () => {
  const recording = buildRecording('Sung behind the back');
  mockInbox();
  await openPageWithStream('/admin', { user });
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  await hideMeanwhile(() => mockInbox(recording));
  await expect.element(heading('Sung behind the back')).toBeVisible();
  await expectText(findMenuLink('Admin Inbox'), '1');

  await openPageWithStream('/feedback');
  await expect.element(page.getByText('No Feedback Yet')).toBeVisible();
  await hideMeanwhile(() => {
    mockEndpoint(api.feedback.mine, [buildFeedback(recording)]);
    mockEndpoint(api.feedback.unreadCount, { count: 1 });
  });
  await expect.element(heading('Sung behind the back')).toBeVisible();
  await expect.element(page.getByText('Reviewed', { exact: true })).toBeVisible();
  await expectText(findMenuLink('View Feedback'), '1');
});

test('an open melody form keeps its values when somebody else changes the melody', async () => {
  const melody = buildMelody('Song of the river');
  mockLibrary([melody]);
  mockEndpoint(api.melodies.change, melody);
  await openPageWithStream('/melodies', { user });
  await page.getByRole('button', { name: 'Edit Song of the river' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit Melody' });
  await editor.getByRole('button', { name: 'Description, picture and video' }).click();
  await editor.getByLabelText('Description').fill('As the river sings it');
  mockLibrary([{ ...melody, title: 'Song of the river II' }]);
  sendChanges('/api/melodies');
  await expect
    .element(page.getByRole('heading', { name: 'Song of the river II', includeHidden: true }))
    .toBeInTheDocument();
  await expect.element(editor.getByLabelText('Title')).toHaveValue('Song of the river');
  await editor.getByRole('button', { name: 'Save Changes' }).click();
  await expectCount(editor, 0);
  // Only the edited field is sent, so the other person's change is not undone.
  expect(getCalls(api.melodies.change).map(({ body }) => body)).toEqual([
    { clientId: expect.any(String) as string, description: 'As the river sings it' },
  ]);
});

test('inbox, badge and feedback are updated when another teacher deletes a student', async () => {
  const [waiting, other] = [buildRecording('Waiting when it went'), buildRecording('Of somebody else')];
  let given: FeedbackFixture[] = [
    buildFeedback(buildRecording('Answered before it went', { status: 'reviewed' })),
  ];
  mockEndpoint(api.feedback.given, () => given);
  mockInbox(waiting, other);
  await openPageWithStream('/admin', { user });
  await expect.element(heading('Waiting when it went')).toBeVisible();
  withdrawRecording(waiting);
  sendChanges('/api/admin/pending-recordings', '/api/recordings');
  await expectCount(heading('Waiting when it went'), 0);
  await expectText(findMenuLink('Admin Inbox'), '1');

  await findMenuLink('Past Feedback').click();
  await expect.element(heading('Answered before it went')).toBeVisible();
  given = [];
  withdrawRecording(other);
  sendChanges('/api/admin/pending-recordings', '/api/recordings', '/api/admin/feedback');
  await expectCount(heading('Answered before it went'), 0);
  await expect.poll(() => findMenuLink('Admin Inbox').element().textContent).not.toMatch(/\d/);
});

test('a notice appears and disappears without interrupting the teacher’s typing', async () => {
  const words = page.getByLabelText('Written feedback');
  mockInbox(buildRecording('Waits for an answer'));
  await openPageWithStream('/admin', { user });
  await words.fill('Breathe');
  await expectCount(about, 0);
  mockEndpoint(api.notices.list, [damaged]);
  sendChanges('/api/admin/notices');
  await expectText(about, '2 files are missing, and 1 file is damaged.');
  await expect.element(words).toHaveFocus();
  await userEvent.keyboard(' there');
  await expect.element(words).toHaveValue('Breathe there');
  mockEndpoint(api.notices.list, []);
  sendChanges('/api/admin/notices');
  await expectCount(about, 0);
});

test('notices are shown to teachers on every page, but not to students', async () => {
  const answers = { '/api/admin/notices': [damaged] };
  for (const path of ['/', '/admin/users']) {
    await renderPage(path, { user, answers });
    await expect.element(about).toBeVisible();
  }
  expect(getCalls(api.notices.list)).toEqual([]);
  await renderPage('/', { answers });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectCount(about, 0);
  expect(getCalls(api.notices.list)).toEqual([]);
});
