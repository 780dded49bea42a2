import type { Page } from '@playwright/test';
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

test('what happened while a tab was hidden is there when it is looked at again, in list and badge alike', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const teacherPage = await signedIn(TEACHER);
  await openWithStream(teacherPage, '/admin');
  const phone = await signedIn(student);
  await openWithStream(phone, '/feedback');
  await expect(phone.getByText('No Feedback Yet')).toBeVisible();
  await hide(teacherPage, true);
  await hide(phone, true);
  const waiting = await count(world);
  const id = await submit(world, student, { title: 'Sung behind the back' });
  await hide(teacherPage, false);
  await expect(teacherPage.getByRole('heading', { name: 'Sung behind the back' })).toBeVisible(SOON);
  await expect(badge(teacherPage, 'Admin Inbox')).toContainText(String(waiting + 1), SOON);

  await answer(world, id);
  await hide(phone, false);
  await expect(phone.getByRole('heading', { name: 'Sung behind the back' })).toBeVisible(SOON);
  await expect(phone.getByText('Reviewed')).toBeVisible();
});

test('a request for access that another teacher deals with leaves an open page', async ({
  signedIn,
  visitor,
  world,
}) => {
  const guest = await visitor();
  const teacherPage = await signedIn(TEACHER);
  await openWithStream(teacherPage, '/admin/registrations');
  const request = { fullName: 'Lhamo Live', email: 'lhamo.live@example.org' };
  expect((await guest.request.post('/api/register-request', { data: request })).ok()).toBe(true);
  const card = teacherPage.getByText('lhamo.live@example.org').first();
  await expect(card).toBeVisible(SOON);
  const { body } = await world.teacher.get('/api/admin/registration-requests');
  const { id } = body.find((each: { email: string }) => each.email === request.email);
  expect((await world.teacher.delete(`/api/admin/registration-requests/${id}`)).status).toBe(200);
  await expect(card).toBeHidden(SOON);
});

test('the library of a student follows the levels granted and revoked, and what the teacher changes in it', async ({
  signedIn,
  world,
}) => {
  const title = `Song of the summit ${crypto.randomUUID().slice(0, 6)}`;
  const refuge = await world.level('Refuge');
  const added = await world.teacher.form('/api/melodies', { title, transmissionLevelId: refuge.id });
  const student = await world.student();
  const phone = await signedIn(student);
  await openWithStream(phone, '/melodies');
  const card = phone.getByRole('heading', { name: title, exact: true });
  const filter = phone.getByRole('button', { name: 'Refuge', exact: true });
  await expect(phone.getByRole('heading', { name: 'Sacred Melodies' })).toBeVisible();
  await expect(filter).toHaveCount(0);

  const access = `/api/admin/users/${student.id}/transmission-access`;
  await world.teacher.post(access, { transmissionLevelId: refuge.id });
  await expect(card).toBeVisible(SOON);
  await expect(filter).toBeVisible(SOON);
  const path = `/api/melodies/${added.body.id}`;
  await world.teacher.form(path, { title: `${title} II` }, { method: 'PUT' });
  await expect(phone.getByRole('heading', { name: `${title} II` })).toBeVisible(SOON);
  await world.teacher.delete(`${access}/${refuge.id}`);
  await expect(phone.getByRole('heading', { name: `${title} II` })).toBeHidden(SOON);
  await expect(filter).toHaveCount(0, SOON);
});

test('a melody that is being edited stays as it was opened, with what is typed, while another changes it', async ({
  signedIn,
  world,
}) => {
  const title = `Song of the river ${crypto.randomUUID().slice(0, 6)}`;
  const open = await world.level('Open to All');
  const added = await world.teacher.form('/api/melodies', { title, transmissionLevelId: open.id });
  const path = `/api/melodies/${added.body.id}`;
  const teacherPage = await signedIn(TEACHER);
  await openWithStream(teacherPage, '/melodies');
  await teacherPage.getByRole('button', { name: `Edit ${title}` }).click();
  const editor = teacherPage.getByRole('dialog', { name: 'Edit Melody' });
  await editor.getByLabel('Description').fill('As the river sings it');
  await world.teacher.form(path, { title: `${title} II` }, { method: 'PUT' });
  await expect(teacherPage.getByText(`${title} II`, { exact: true })).toBeAttached(SOON);
  await expect(editor.getByLabel('Title')).toHaveValue(title);
  await editor.getByRole('button', { name: 'Save Changes' }).click();
  await expect(editor).toBeHidden();
  // What was not typed here was not undone either.
  expect((await world.teacher.get(path)).body).toMatchObject({
    title: `${title} II`,
    description: 'As the river sings it',
  });
});

test('a student who is deleted by another teacher leaves the open inbox, its badge and past feedback', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Gone', lastName: 'Meanwhile' });
  await answer(world, await submit(world, student, { title: 'Answered before it went' }));
  await submit(world, student, { title: 'Waiting when it went' });
  const waiting = await count(world);
  const [teacherPage, past] = [await signedIn(TEACHER), await signedIn(TEACHER)];
  await openWithStream(teacherPage, '/admin');
  await openWithStream(past, '/past-feedback');
  await expect(teacherPage.getByRole('heading', { name: 'Waiting when it went' })).toBeVisible();
  await expect(past.getByRole('heading', { name: 'Answered before it went' })).toBeVisible();
  expect((await world.teacher.delete(`/api/admin/users/${student.id}`)).status).toBe(200);
  await expect(teacherPage.getByRole('heading', { name: 'Waiting when it went' })).toBeHidden(SOON);
  await expect(past.getByRole('heading', { name: 'Answered before it went' })).toBeHidden(SOON);
  if (waiting > 1) await expect(badge(teacherPage, 'Admin Inbox')).toContainText(String(waiting - 1), SOON);
  else await expect(badge(teacherPage, 'Admin Inbox')).not.toContainText(/\d/, SOON);
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
