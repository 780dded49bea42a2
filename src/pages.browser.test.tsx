import { expect, test } from 'vitest';
import { api } from './api.ts';
import {
  aFeedback,
  aRecording,
  aRequest,
  aStudent,
  aTeacher,
  aMelody,
  library,
  listed,
  OPEN,
  requestsOf,
  soundOf,
} from './testing/browser/community.ts';
import { answer, callsOf } from './testing/browser/fake-api.ts';
import { expectAccessibleInBothThemes, expectNoSidewaysScroll } from './testing/browser/look.ts';
import { renderPage } from './testing/browser/render-page.tsx';
import { page } from './testing/browser/screen.ts';

const LONG = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';
const NAME = LONG.slice(0, 60);
const message = `${LONG} `.repeat(20);

/** What has come when a page is there, where it is nothing of those long names. */
const WITHIN: Record<string, string> = {
  '/': 'Your Sacred Journey',
  '/submit': 'Press to record',
  '/nowhere': '404',
  '/admin/add-melody': 'Open to All',
  '/admin/invite': 'Open to All',
};

/** A student with long names, a pending and an answered recording, and a melody in Tibetan. */
function fill() {
  const student = aStudent({ firstName: NAME, lastName: 'Dolma' });
  const { firstName, lastName, username } = student;
  const sung = { message, student: { firstName, lastName, username } };
  const pending = aRecording(LONG.repeat(3), sung);
  const answered = aRecording('Answered', { ...sung, status: 'reviewed' });
  const feedback = aFeedback(answered, {
    writtenFeedback: message,
    audioFeedbackUrl: soundOf(2),
    audioFeedbackDuration: 2,
  });
  library([
    aMelody(LONG.repeat(3), {
      description: message,
      melodyText: 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
      vimeoUrl: 'https://example.org/video',
      audioUrl: soundOf(3),
      duration: 3,
    }),
  ]);
  answer(api.recordings.mine, [answered, pending]);
  answer(api.recordings.pendingForInbox, [pending]);
  answer(api.recordings.countPending, { count: 1 });
  answer(api.feedback.mine, [feedback]);
  answer(api.feedback.given, [feedback]);
  answer(api.feedback.setStatus, { ...feedback, status: 'read' });
  requestsOf([aRequest(LONG, { email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.org` })]);
  const user = listed(student, { recordingCount: 2, feedbackCount: 1 });
  answer(api.users.list, [user, listed(aTeacher())]);
  answer(api.users.one, user);
  answer(api.users.accessList, [{ id: 1, transmissionLevelId: OPEN.id, grantedAt: new Date() }]);
  return student;
}

async function expectGood(path: string) {
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => document.querySelector('main')?.textContent).toMatch(WITHIN[path] ?? NAME);
  await expectAccessibleInBothThemes(path);
  expectNoSidewaysScroll(path);
}

for (const path of ['/', '/melodies', '/submit', '/feedback', '/past-recordings', '/nowhere'])
  test(`a student’s page can be used by everyone, in both themes and at 320 px: ${path}`, async () => {
    await page.viewport(320, 640);
    await renderPage(path, { user: fill() });
    await expectGood(path);
  });

for (const path of [
  '/',
  '/melodies',
  '/admin',
  '/admin/add-melody',
  '/admin/registrations',
  '/admin/users',
  '/admin/users?user=',
  '/admin/invite',
  '/past-feedback',
])
  test(`a page of the teacher can be used by everyone, in both themes and at 320 px: ${path}`, async () => {
    const { id } = fill();
    await page.viewport(320, 640);
    await renderPage(path.endsWith('=') ? path + id : path, { user: aTeacher() });
    await expectGood(path);
    if (path.endsWith('=')) expect(callsOf(api.users.accessList)).not.toEqual([]);
  });

test('the sign-in page can be used by everyone, in both themes and at 320 px', async () => {
  await page.viewport(320, 640);
  await renderPage('/', { user: null });
  for (const tab of ['Sign In', 'Request Access']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessibleInBothThemes(tab);
    expectNoSidewaysScroll(tab);
  }
});
