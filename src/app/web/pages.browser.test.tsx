import { expect, onTestFinished, test } from 'vitest';
import { api } from '../api.ts';
import {
  buildFeedback,
  buildLevel,
  buildRecording,
  buildRegistrationRequest,
  buildStudent,
  buildTeacher,
  buildMelody,
  mockLibrary,
  toListedUser,
  OPEN_LEVEL,
  mockRegistrationRequests,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalls } from '#testing/browser/fake-api.ts';
import {
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
  expectAutoDirection,
} from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { page } from '#testing/browser/screen.ts';

/** First word of all user-typed text, which makes the text's direction right to left. */
const HEBREW = 'שיר';
const LONG = `${HEBREW}-Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo`;
const NAME = LONG.slice(0, 60);
const message = `${LONG} `.repeat(20);

/** Text that shows that a page has loaded, for pages that contain none of the long names. */
const WITHIN: Record<string, string> = {
  '/submit': 'Press to record',
  '/nowhere': '404',
  '/admin/add-melody': 'Open to All',
  '/admin/invite': 'Open to All',
  '/melodies?view=table': 'Recordings',
};

/** Mocks a student with long names, a pending and an answered recording, and a melody in Tibetan. */
function fill() {
  const student = buildStudent({ firstName: NAME, lastName: 'Dolma' });
  const { firstName, lastName, username } = student;
  const sung = { message, student: { firstName, lastName, username } };
  const pending = buildRecording(LONG.repeat(3), sung);
  const answered = buildRecording('Answered', { ...sung, status: 'reviewed' });
  const feedback = buildFeedback(answered, {
    writtenFeedback: message,
    marks: [{ start: 1, end: 2, text: LONG }],
    audioFeedbackUrl: getToneFileName(2),
    audioFeedbackDuration: 2,
  });
  mockLibrary([
    buildMelody(LONG.repeat(3), {
      description: message,
      melodyText: 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
      vimeoUrl: 'https://example.org/video',
      audioUrl: getToneFileName(3),
      duration: 3,
    }),
  ]);
  mockEndpoint(api.recordings.mine, [answered, pending]);
  mockEndpoint(api.recordings.pendingForInbox, [pending]);
  mockEndpoint(api.recordings.countPending, { count: 1 });
  mockEndpoint(api.feedback.mine, [feedback]);
  mockEndpoint(api.feedback.given, [feedback]);
  mockEndpoint(api.feedback.newestUnread, {
    newest: { recordingId: answered.id, title: LONG, marks: 1, createdAt: new Date() },
  });
  mockEndpoint(api.feedback.unreadCount, { count: 1 });
  mockEndpoint(api.recordings.waiting, { count: 1, title: LONG });
  mockEndpoint(api.agreements.waiting, { count: 1 });
  mockEndpoint(api.chosenMelodies.today, [
    { melodyId: 1, title: LONG, thumbnailUrl: null, duration: 3, times: 3 },
  ]);
  mockEndpoint(api.passkeys.list, [{ id: 1, name: LONG, createdAt: new Date(), usedAt: null }]);
  mockEndpoint(api.levels.all, [{ ...OPEN_LEVEL, description: LONG }, buildLevel(NAME)]);
  mockEndpoint(api.levels.mine, [OPEN_LEVEL, buildLevel(NAME)]);
  mockEndpoint(api.feedback.setStatus, { ...feedback, status: 'read' });
  mockRegistrationRequests([
    buildRegistrationRequest(LONG, { email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.org` }),
  ]);
  const user = toListedUser(student, { recordingCount: 2, feedbackCount: 1 });
  mockEndpoint(api.users.list, [user, toListedUser(buildTeacher())]);
  mockEndpoint(api.users.one, user);
  mockEndpoint(api.users.accessList, [{ id: 1, transmissionLevelId: OPEN_LEVEL.id, grantedAt: new Date() }]);
  return student;
}

async function expectGood(path: string, within = WITHIN[path] ?? NAME) {
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => document.querySelector('main')?.textContent).toMatch(within);
  await expectAccessibleWithoutOverflow(path);
  expectAutoDirection(HEBREW, path);
}

function expectNoSidewaysScrollWithLargeLetters(path: string) {
  onTestFinished(() => void (document.documentElement.style.fontSize = ''));
  document.documentElement.style.fontSize = '200%';
  expectNoHorizontalScroll(`${path}, with letters twice as large`);
}

for (const path of [
  '/',
  '/melodies',
  '/submit',
  '/feedback',
  '/past-recordings',
  '/change-password',
  '/nowhere',
])
  test(`a student’s page is accessible in both themes and at 320 px: ${path}`, async () => {
    await page.viewport(320, 640);
    await renderPage(path, { user: fill() });
    await expectGood(path);
    expectNoSidewaysScrollWithLargeLetters(path);
  });

for (const path of [
  '/melodies',
  '/admin',
  '/admin/add-melody',
  '/admin/registrations',
  '/admin/users',
  '/admin/users?user=',
  '/admin/invite',
  '/past-feedback',
  '/change-password',
  '/melodies?view=table',
])
  test(`a teacher’s page is accessible in both themes and at 320 px: ${path}`, async () => {
    const { id } = fill();
    await page.viewport(320, 640);
    await renderPage(path.endsWith('=') ? path + id : path, { user: buildTeacher() });
    await expectGood(path);
    expectNoSidewaysScrollWithLargeLetters(path);
    if (path.endsWith('=')) expect(getCalls(api.users.accessList)).not.toEqual([]);
  });

test('the sign-in page is accessible in both themes and at 320 px', async () => {
  await page.viewport(320, 640);
  await renderPage('/', { user: null });
  for (const tab of ['Sign In', 'Request Access']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessibleWithoutOverflow(tab);
  }
});

for (const [size, fontSize] of [
  ['normal-size', ''],
  ['double-size', '200%'],
] as const)
  test(`nothing overlaps in the header at 320 px with ${size} text`, async () => {
    mockRegistrationRequests(
      Array.from({ length: 120 }, (_, index) => buildRegistrationRequest(`Pema ${index}`)),
    );
    await page.viewport(320, 568);
    document.documentElement.style.fontSize = fontSize;
    try {
      for (const [path, user] of [
        ['/past-recordings', buildStudent()],
        ['/admin/registrations', buildTeacher()],
      ] as const) {
        await renderPage(path, { user });
        await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument();
        expectHeaderWhole(path);
      }
    } finally {
      document.documentElement.style.fontSize = '';
    }
  });

function expectHeaderWhole(what: string) {
  const header = document.querySelector('header')!;
  const { right, bottom } = header.getBoundingClientRect();
  const parts = [...header.querySelectorAll('button, a, p, [class*=rounded-full]')].filter(
    (part) => part.closest('button') === null || part.matches('button'),
  );
  const boxes = parts.map((part) => {
    // Checks the text of a link for clipping, because the link itself fills its container.
    expect(part.scrollWidth, `${what}: ${part.textContent}`).toBeLessThanOrEqual(part.clientWidth);
    return part.getBoundingClientRect();
  });
  expect(boxes.length, what).toBeGreaterThanOrEqual(4);
  for (const [index, box] of boxes.entries()) {
    expect(box.left, what).toBeGreaterThanOrEqual(0);
    expect(box.right, what).toBeLessThanOrEqual(right);
    expect(box.bottom, what).toBeLessThanOrEqual(bottom);
    for (const other of boxes.slice(index + 1))
      expect(
        box.right <= other.left ||
          other.right <= box.left ||
          box.bottom <= other.top ||
          other.bottom <= box.top,
        `${what}: parts do not overlap`,
      ).toBe(true);
  }
}
