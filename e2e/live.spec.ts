import type { Page } from '@playwright/test';
import { submit } from './desk.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

/** An open page hears of it within a second or so; the stream itself is opened three seconds after the page. */
const SOON = { timeout: 30_000 };

test('a new recording comes into an open inbox and its badge, an answer to it onto the student’s pages', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const desk = await signedIn(TEACHER);
  await openWithStream(desk, '/admin');
  const waiting = await count(world);
  const id = await submit(world, student, { title: 'Sung just now' });
  await expect(desk.getByRole('heading', { name: 'Sung just now' })).toBeVisible(SOON);
  await expect(badge(desk, 'Admin Inbox')).toContainText(String(waiting + 1), SOON);

  const phone = await signedIn(student);
  await openWithStream(phone, '/past-recordings');
  await answer(world, id);
  await expect(phone.getByRole('link', { name: 'View Feedback' }).last()).toBeVisible(SOON);
  await expect(badge(phone, 'View Feedback')).toContainText('1', SOON);
  await expect(desk.getByRole('heading', { name: 'Sung just now' })).toBeHidden(SOON);
});

test('what happened while a tab was hidden is there when it is looked at again, in list and badge alike', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const desk = await signedIn(TEACHER);
  await openWithStream(desk, '/admin');
  const phone = await signedIn(student);
  await openWithStream(phone, '/feedback');
  await expect(phone.getByText('No Feedback Yet')).toBeVisible();
  await hide(desk, true);
  await hide(phone, true);
  const waiting = await count(world);
  const id = await submit(world, student, { title: 'Sung behind the back' });
  await hide(desk, false);
  await expect(desk.getByRole('heading', { name: 'Sung behind the back' })).toBeVisible(SOON);
  await expect(badge(desk, 'Admin Inbox')).toContainText(String(waiting + 1), SOON);

  await answer(world, id);
  await hide(phone, false);
  await expect(phone.getByRole('heading', { name: 'Sung behind the back' })).toBeVisible(SOON);
  await expect(phone.getByText('Reviewed')).toBeVisible();
});

test('a request for access that another teacher deals with leaves an open desk', async ({
  signedIn,
  visitor,
  world,
}) => {
  const guest = await visitor();
  const desk = await signedIn(TEACHER);
  await openWithStream(desk, '/admin/registrations');
  const request = { fullName: 'Lhamo Live', email: 'lhamo.live@example.org' };
  expect((await guest.request.post('/api/register-request', { data: request })).ok()).toBe(true);
  const card = desk.getByText('lhamo.live@example.org').first();
  await expect(card).toBeVisible(SOON);
  const { body } = await world.teacher.get('/api/admin/registration-requests');
  const { id } = body.find((each: { email: string }) => each.email === request.email);
  expect((await world.teacher.delete(`/api/admin/registration-requests/${id}`)).status).toBe(200);
  await expect(card).toBeHidden(SOON);
});

/** The number beside a link of the menu. */
const badge = (page: Page, link: string) =>
  page.getByRole('navigation').first().getByRole('link', { name: link });

const count = async (world: World) =>
  (await world.teacher.get('/api/recordings/pending')).body.length as number;

async function openWithStream(page: Page, path: string) {
  const isOpen = page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok());
  await page.goto(path);
  await isOpen;
}

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    isHidden ? 'hidden' : 'visible',
  );

async function answer(world: World, recordingId: number) {
  const { status } = await world.teacher.form('/api/feedback', { recordingId, writtenFeedback: 'Good.' });
  expect(status).toBe(201);
}
