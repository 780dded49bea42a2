import type { Page } from '@playwright/test';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { toastOf } from './toast.ts';

test('somebody asks for access, is approved with a level, and signs in with the mailed credentials', async ({
  signedIn,
  visitor,
  world,
}) => {
  const { name, email } = newcomer('Pema Wangmo');
  const title = `Refuge Prayer ${name}`;
  const refuge = await world.level('Refuge');
  await world.teacher.form('/api/melodies', { title, transmissionLevelId: refuge.id });

  const guest = await visitor();
  await guest.goto('/auth');
  await guest.getByRole('tab', { name: 'Request Access' }).click();
  await guest.getByLabel('Full name').fill(name);
  await guest.getByLabel('Email').fill(email);
  await guest.getByRole('button', { name: 'Submit Request' }).click();
  await expect(toastOf(guest)).toContainText(
    'Registration request submittedThe teacher will review your request and send your login credentials by email.',
  );

  const teacherPage = await signedIn(TEACHER);
  await teacherPage.goto('/admin/registrations');
  const card = teacherPage.getByRole('listitem').filter({ hasText: email });
  await expect(card).toContainText('Pending Review');
  await expect(card.getByRole('checkbox', { name: 'Open to All' })).toBeChecked();
  const before = await pendingCount(teacherPage);
  await expect(
    teacherPage.getByRole('heading', { name: `Pending Requests ${before} pending` }),
  ).toBeVisible();
  await card.getByRole('checkbox', { name: 'Refuge' }).check();
  await card.getByRole('button', { name: /Approve & Send Credentials/ }).press('Enter');
  await expect(
    teacherPage.getByText("Login credentials have been sent to the user's email").first(),
  ).toBeVisible();
  await expect(teacherPage.getByRole('region', { name: 'Recent Activity' })).toContainText(email);
  await expect.poll(() => pendingCount(teacherPage)).toBe(before - 1);

  const { username, password } = await world.credentialsFor(email);
  await guest.getByRole('tab', { name: 'Sign In' }).click();
  await guest.getByLabel('Username').fill(username);
  await guest.getByLabel('Password', { exact: true }).fill(password);
  await guest.getByLabel('Password', { exact: true }).press('Enter');
  await expect(guest.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await guest.goto('/melodies');
  await expect(guest.getByRole('button', { name: 'Refuge', exact: true })).toBeVisible();
  await expect(guest.getByRole('heading', { name: title })).toBeVisible();
});

test('on a new installation “Open to All” is ticked also where the forms were there before the levels', async ({
  signedIn,
  world,
}) => {
  const { name, email } = newcomer('First Ever');
  await ask(world, name, email);
  for (const [path, boxes] of [
    ['/admin/invite', 2],
    ['/admin/registrations', 1],
  ] as const) {
    const page = await signedIn(TEACHER);
    await page.route('**/api/events', (route) => route.abort());
    await page.route('**/api/admin/transmission-levels', (route) => route.fulfill({ json: [] }), {
      times: 1,
    });
    // Levels are made by a call of the page's own; here, when it has drawn itself without any.
    await page.route('**/api/init', async (route) => {
      await expect(page.getByText('There are no transmission levels yet.').first()).toBeVisible();
      await route.continue();
    });
    await page.goto(path);
    const place = path === '/admin/invite' ? page : page.getByRole('listitem').filter({ hasText: email });
    await expect(place.getByRole('checkbox', { name: 'Open to All', checked: true })).toHaveCount(boxes);
  }
});

test('levels that could not be made are no matter for a toast, and no student asks for them', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(TEACHER);
  await page.route('**/api/init', (route) => route.fulfill({ status: 500, body: '' }));
  const failed = page.waitForResponse('**/api/init');
  await page.goto('/admin/invite');
  await failed;
  await expect(page.getByRole('heading', { name: 'Invite Users' })).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);

  const student = await signedIn(await world.student());
  const asked: string[] = [];
  student.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await student.goto('/past-recordings');
  await expect(student.getByText('No recordings yet')).toBeVisible();
  expect(asked).toContain('/api/feedback/unread-count');
  expect(asked.filter((path) => path === '/api/init' || path.startsWith('/api/admin/'))).toEqual([]);
});

function newcomer(name: string) {
  const id = crypto.randomUUID().slice(0, 6);
  return { name: `${name} ${id}`, email: `newcomer.${id}@example.org` };
}

async function ask(world: World, fullName: string, email: string) {
  const { status } = await world.teacher.post('/api/register-request', { fullName, email });
  expect(status).toBe(201);
}

async function pendingCount(page: Page) {
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Registration Requests/ });
  return Number(/\d+/.exec((await link.textContent()) ?? '')?.[0] ?? 0);
}
