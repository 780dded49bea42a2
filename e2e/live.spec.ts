import type { Page, Request } from '@playwright/test';
import { clearInbox, submitRecording } from './inbox.ts';
import { TEACHER_CREDENTIALS, expect, test, type World } from './fixtures.ts';

test.use({ sharesWorld: true });

test('open pages fetch each list once and show changes as they happen', async ({ signedIn, world }) => {
  await clearInbox(world);
  const student = await world.student();
  await answer(world, await submitRecording(world, student, { title: 'Fetched once' }));
  const browser = await world.as(student);
  const [given] = (await browser.get('/api/feedback')).body as { id: number }[];
  // Marks the feedback as read. Otherwise, the page would do this and then fetch lists again.
  await browser.send('PATCH', `/api/feedback/${given!.id}/status`, { status: 'read' });
  await submitRecording(world, student, { title: 'Waits' });
  const teacherPage = await signedIn(TEACHER_CREDENTIALS);
  const phone = await signedIn(student);
  const waiting = teacherPage.getByRole('navigation', { name: 'Waiting recordings' });

  await test.step('a page fetches nothing twice when its event stream opens or its tab is shown', async () => {
    for (const page of [teacherPage, phone]) await page.addInitScript(noteMessages);
    expect(await findRepeatedRequests(phone, '/melodies')).toEqual([]);
    expect(await findRepeatedRequests(phone, '/feedback')).toEqual([]);
    expect(await findRepeatedRequests(phone, '/past-recordings')).toEqual([]);
    expect(await findRepeatedRequests(teacherPage, '/admin')).toEqual([]);
  });

  const id =
    await test.step('a new recording appears in the open inbox, and the badge counts it', async () => {
      const added = await submitRecording(world, student, { title: 'Sung just now' });
      await expect(waiting.getByRole('link', { name: /Sung just now/ })).toBeVisible();
      await expect(badge(teacherPage, 'Admin Inbox')).toContainText('2');
      return added;
    });

  await test.step('feedback reaches the student’s page, and its recording leaves the inbox', async () => {
    await expect(badge(phone, 'View Feedback')).not.toContainText('1');
    await answer(world, id);
    await expect(badge(phone, 'View Feedback')).toContainText('1');
    const sung = phone.getByRole('article').filter({ hasText: 'Sung just now' });
    await expect(sung.getByRole('link', { name: 'View Feedback' })).toBeVisible();
    await expect(waiting.getByRole('link', { name: /Sung just now/ })).toBeHidden();
  });
});

/**
 * Returns the API paths that a page fetches more than once while it loads, and while its tab is hidden and
 * shown.
 */
async function findRepeatedRequests(page: Page, path: string) {
  const asked: string[] = [];
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && /^\/api\/(?!events|files|health)/.test(pathname))
      asked.push(pathname + search);
  };
  page.on('request', note);
  await page.goto(path);
  await expect.poll(() => page.evaluate(() => window.told)).toEqual([[]]);
  for (const state of ['hidden', 'visible'] as const) await page.evaluate(showTab, state);
  await expect.poll(() => page.evaluate(() => window.told)).toEqual([[], []]);
  // Waits for another response. When it arrives, all requests caused by the message have been sent.
  await page.evaluate(() => fetch('/api/health').then((health) => health.text()));
  page.off('request', note);
  expect(asked, path).not.toEqual([]);
  return asked.filter((address, at) => asked.indexOf(address) !== at);
}

declare global {
  interface Window {
    /** The URLs to refetch, from each message of the event stream; null to refetch all. */
    told: (string[] | null)[];
  }
}

function noteMessages() {
  window.told = [];
  window.EventSource = class extends EventSource {
    constructor(address: string | URL) {
      super(address);
      this.addEventListener('message', ({ data }: MessageEvent<string>) => {
        window.told.push((JSON.parse(data) as { refreshes: string[] | null }).refreshes);
      });
    }
  };
}

function showTab(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Returns a link in the menu. Its text includes the badge. */
const badge = (page: Page, link: string) =>
  page.getByRole('navigation').first().getByRole('link', { name: link });

async function answer(world: World, recordingId: number) {
  const { status } = await world.teacher.form('/api/feedback', { recordingId, writtenFeedback: 'Good.' });
  expect(status).toBe(201);
}
