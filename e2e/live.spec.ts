import type { Page, Request } from '@playwright/test';
import { submit } from './inbox.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

/** An open page hears of it within a second or so; the stream itself is opened three seconds after the page. */
const SOON = { timeout: 30_000 };

test('a new recording comes into an open inbox and its badge, an answer to it onto the student’s pages', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const teacherPage = await signedIn(TEACHER);
  await openWithStream(teacherPage, '/admin');
  const waiting = await count(world);
  const id = await submit(world, student, { title: 'Sung just now' });
  await expect(teacherPage.getByRole('heading', { name: 'Sung just now' })).toBeVisible(SOON);
  await expect(badge(teacherPage, 'Admin Inbox')).toContainText(String(waiting + 1), SOON);

  const phone = await signedIn(student);
  await openWithStream(phone, '/past-recordings');
  await answer(world, id);
  await expect(phone.getByRole('link', { name: 'View Feedback' }).last()).toBeVisible(SOON);
  await expect(badge(phone, 'View Feedback')).toContainText('1', SOON);
  await expect(teacherPage.getByRole('heading', { name: 'Sung just now' })).toBeHidden(SOON);
});

test('a page asks for each list once, also when it begins to listen and when its tab is seen again', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  await answer(world, await submit(world, student, { title: 'Asked for once' }));
  const browser = await world.as(student);
  const [given] = (await browser.get('/api/feedback')).body as { id: number }[];
  // Else the page would do it, and ask for what that has changed.
  await browser.send('PATCH', `/api/feedback/${given!.id}/status`, { status: 'read' });
  await submit(world, student, { title: 'Waits' });
  const teacherPage = await signedIn(TEACHER);
  const phone = await signedIn(student);
  for (const page of [teacherPage, phone]) await page.addInitScript(noteMessages);
  expect(await askedTwice(teacherPage, '/admin')).toEqual([]);
  expect(await askedTwice(phone, '/melodies')).toEqual([]);
  expect(await askedTwice(phone, '/past-recordings')).toEqual([]);
  expect(await askedTwice(phone, '/feedback')).toEqual([]);
});

/** What a page asks for more than once when it is opened, listens, and its tab is hidden and seen again. */
async function askedTwice(page: Page, path: string) {
  const asked: string[] = [];
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && /^\/api\/(?!events|files|health)/.test(pathname))
      asked.push(pathname + search);
  };
  page.on('request', note);
  await page.goto(path);
  await expect.poll(() => page.evaluate(() => window.told), SOON).toEqual([[]]);
  for (const state of ['hidden', 'visible'] as const) await page.evaluate(showTab, state);
  await expect.poll(() => page.evaluate(() => window.told), SOON).toEqual([[], []]);
  // What the message led to was asked for before this.
  await page.evaluate(() => fetch('/api/health').then((health) => health.text()));
  page.off('request', note);
  expect(asked, path).not.toEqual([]);
  return asked.filter((address, at) => asked.indexOf(address) !== at);
}

declare global {
  interface Window {
    /** What the stream has said to ask again; null for everything. */
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

/** The number beside a link of the menu. */
const badge = (page: Page, link: string) =>
  page.getByRole('navigation').first().getByRole('link', { name: link });

const count = async (world: World) =>
  (await world.teacher.get('/api/recordings/pending')).body.length as number;

const isStream = (url: string) => new URL(url).pathname === '/api/events';

async function openWithStream(page: Page, path: string) {
  const isOpen = page.waitForResponse((response) => isStream(response.url()) && response.ok());
  await page.goto(path);
  await isOpen;
}

async function answer(world: World, recordingId: number) {
  const { status } = await world.teacher.form('/api/feedback', { recordingId, writtenFeedback: 'Good.' });
  expect(status).toBe(201);
}
