import type { Locator, Page } from '@playwright/test';
import { copied } from './clipboard.ts';
import { expectAccessible } from './axe.ts';
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

test('a request that two windows approve at once is approved by one; the other is told, and shows it no longer', async ({
  signedIn,
  world,
}) => {
  const { name, email } = newcomer('Dechen Lhamo');
  await ask(world, name, email);
  const windows = [await signedIn(TEACHER), await signedIn(TEACHER)];
  const cards = await Promise.all(
    windows.map(async (page) => {
      await page.goto('/admin/registrations');
      const card = page.getByRole('listitem').filter({ hasText: email });
      await expect(card).toContainText(name);
      return card;
    }),
  );
  await Promise.all(
    cards.map((card) => card.getByRole('button', { name: /Approve & Send Credentials/ }).click()),
  );
  for (const card of cards) await expect(card.getByText('Pending Review')).toHaveCount(0);
  const howManySay = async (words: string) => {
    const regions = windows.map((page) => page.getByRole('region', { name: 'Pending Requests' }));
    const said = await Promise.all(regions.map((region) => region.textContent()));
    return said.filter((text) => text?.includes(words)).length;
  };
  for (const words of ['User approved', 'Approval failed', 'This request has been approved already.'])
    await expect.poll(() => howManySay(words), words).toBe(1);
  expect(await world.sql('select 1 from users where email = $1', [email])).toHaveLength(1);
});

test('a request is deleted by keyboard alone, after being asked, and focus goes to the next one', async ({
  signedIn,
  world,
}) => {
  const [first, second] = [newcomer('Later Person'), newcomer('Earlier Person')];
  await ask(world, second.name, second.email);
  await ask(world, first.name, first.email);
  const page = await signedIn(TEACHER);
  await page.goto('/admin/registrations');
  const button = page.getByRole('button', { name: `Delete: ${first.name}` });
  await button.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText(`Delete the request of ${first.name}?`);
  await expectAccessible(page, 'asked to delete a request');
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await button.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(toastOf(page)).toContainText(
    'Request deletedRegistration request has been removed from the queue',
  );
  await expect(page.getByText(first.email)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: second.name })).toBeFocused();

  // Somebody else has been quicker.
  await page.getByRole('button', { name: `Delete: ${second.name}` }).press('Enter');
  await world.sql('delete from registration_requests where email = $1', [second.email]);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(toastOf(page)).toContainText('Delete failedNo such request');
  await expect(page.getByText(second.email)).toHaveCount(0);
});

test('of three invites the good one is sent, the bad one stays with its reason, and the unfinished one as it was', async ({
  signedIn,
  world,
}) => {
  const known = await world.student();
  const { email } = newcomer('Invited Person');
  const page = await signedIn(TEACHER);
  await page.goto('/admin/invite');
  const invite = (number: number) => page.getByRole('group', { name: `Invite ${number}` });
  const fill = async (number: number, typed: [email: string, first: string, last: string]) => {
    await invite(number).getByLabel('Email').fill(typed[0]);
    await invite(number).getByLabel('First name').fill(typed[1]);
    await invite(number).getByLabel('Last name').fill(typed[2]);
  };
  const missing = page.getByText(
    'Please fill in all fields for at least one invite and select transmission levels.',
  );
  await page.getByRole('button', { name: 'Send 0 Invites' }).click();
  await expect(missing.first()).toBeVisible();
  await expect(invite(1).getByLabel('Email')).toBeFocused();
  await expectAccessible(page, 'an invite with nothing in it');
  await expect(page.getByRole('button', { name: /Remove invite/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  await fill(1, [known.email, 'Known', 'Already']);
  await fill(2, [email, 'Invited', 'Person']);
  await fill(3, ['', 'Unfinished', '']);
  await page.reload();
  await expect(invite(3).getByLabel('First name')).toHaveValue('Unfinished');

  await page.getByRole('button', { name: 'Send 2 Invites' }).click();
  await expect(page.getByText('1 invite sent, 1 failed').first()).toBeVisible();
  const sent = page.getByRole('listitem').filter({ hasText: email }).filter({ hasText: 'To be passed on' });
  await expect(sent).toContainText('Invited Person');
  await expect(invite(1).getByLabel('Email')).toHaveValue(known.email);
  await expect(invite(1).getByRole('alert')).toContainText('A user with this email already exists.');
  await expect(invite(2).getByLabel('First name')).toHaveValue('Unfinished');
  await expect(invite(3)).toHaveCount(0);
  await expectAccessible(page, 'an invite that failed');
  expect((await world.credentialsFor(email)).password).not.toBe('');

  await page.getByRole('button', { name: 'Remove invite 1' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Invite 1' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Send 0 Invites' })).toBeVisible();
});

test('invites that never arrived are all still there, with the fallback sentence', async ({ signedIn }) => {
  const page = await signedIn(TEACHER);
  await page.goto('/admin/invite');
  const invite = page.getByRole('group', { name: 'Invite 1' });
  await invite.getByLabel('Email').fill('nobody@example.org');
  await invite.getByLabel('First name').fill('No');
  await invite.getByLabel('Last name').fill('Body');
  await page.route('**/api/admin/invite-users', (route) => route.fulfill({ status: 502, body: '' }));
  await page.getByRole('button', { name: 'Send 1 Invite' }).click();
  await expect(page.getByText('Failed to send invites').first()).toBeVisible();
  await expect(invite.getByLabel('Email')).toHaveValue('nobody@example.org');
});

test('a created password is shown, copied and cleared by keyboard alone', async ({ signedIn }) => {
  const { email } = newcomer('Created');
  const page = await signedIn(TEACHER, { permissions: ['clipboard-write'] });
  await page.goto('/admin/invite');
  const form = page.getByRole('region', { name: 'Create User with Credentials' });
  await form.getByRole('button', { name: 'Create User' }).press('Enter');
  await expect(
    form.getByText('Please fill in all fields and select at least one transmission level.'),
  ).toBeVisible();
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('First name').fill('Created');
  await form.getByLabel('Last name').fill('Person');
  await page.route(
    '**/api/admin/create-user-with-credentials',
    (route) => route.fulfill({ status: 502, body: '' }),
    { times: 1 },
  );
  await form.getByLabel('Last name').press('Enter');
  await expect(toastOf(page)).toContainText('Failed to create user');
  await form.getByLabel('Last name').press('Enter');
  await expect(toastOf(page)).toContainText('The password is displayed below.');
  const password = form.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('type', 'password');
  await form.getByRole('button', { name: 'Show password' }).press('Enter');
  await expect(password).toHaveAttribute('type', 'text');
  await form.getByRole('button', { name: 'Hide password' }).press('Enter');
  await expect(password).toHaveAttribute('type', 'password');
  await form.getByRole('button', { name: 'Copy password' }).press('Enter');
  await expect(page.getByText('Password copied to clipboard').first()).toBeVisible();
  expect(await copied(page)).toBe(await password.inputValue());
  await expectAccessible(page, 'created credentials');
  // What was typed is kept on the device until then; a password never is.
  await expect(form.getByLabel('Email')).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain('Created');
  expect(kept).not.toContain(await password.inputValue());
  await form.getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(password).toHaveCount(0);
  // It moves a frame later.
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test('what was typed for a user and for a level is there again after the session was lost', async ({
  signedIn,
}) => {
  const { email } = newcomer('Typed');
  const page = await signedIn(TEACHER);
  /** Presses, and is told that the session is gone; then signs in again, as in another tab. */
  const pressWithoutSession = async (button: Locator) => {
    await page.request.post('/api/logout');
    // An answer without content keeps the browser where it is, so that what the page says can be read at leisure.
    await page.route('**/api/login', (route) => route.fulfill({ status: 204 }), { times: 1 });
    const left = page.waitForRequest('**/api/login');
    await button.press('Enter');
    await expect(toastOf(page)).toContainText('UnauthorizedYou are logged out. Logging in again...');
    await (await left).response();
    await page.request.post('/api/login', { data: TEACHER });
  };

  await page.goto('/admin/invite');
  const form = page.getByRole('region', { name: 'Create User with Credentials' });
  await form.getByLabel('Email').fill('typed at example.org');
  await form.getByLabel('First name').fill('Typed');
  await form.getByLabel('Last name').fill('Before');
  await form.getByRole('checkbox', { name: 'Refuge' }).check();
  await form.getByRole('button', { name: 'Create User' }).press('Enter');
  await expect(form.getByText('Please enter a valid email address.')).toBeVisible();
  await expect(page.getByText(/Please fill in all fields/)).toHaveCount(0);
  await form.getByLabel('Email').fill(email);
  await pressWithoutSession(form.getByRole('button', { name: 'Create User' }));
  await page.goto('/admin/invite');
  await expect(form.getByLabel('Email')).toHaveValue(email);
  await expect(form.getByLabel('Last name')).toHaveValue('Before');
  await expect(form.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await form.getByRole('button', { name: 'Create User' }).press('Enter');
  await expect(form.getByRole('heading', { name: 'Typed Before can sign in now' })).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('Email')).toHaveValue('');

  const name = `Dzogchen ${crypto.randomUUID().slice(0, 4)}`;
  const dialog = page.getByRole('dialog');
  const back = dialog.getByText('What you typed before is back.');
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Add Level' }).press('Enter');
  await expect(back).toHaveCount(0);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Description').fill('For the few.');
  await pressWithoutSession(dialog.getByRole('button', { name: 'Add Level' }));
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Add Level' }).press('Enter');
  await expect(back).toBeVisible();
  await expectAccessible(page, 'a level that is back');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add Level' }).press('Enter');
  await expect(dialog.getByLabel('Name')).toHaveValue(name);
  await expect(dialog.getByLabel('Description')).toHaveValue('For the few.');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');

  const edit = page.getByRole('button', { name: 'Edit Refuge' });
  await edit.press('Enter');
  await dialog.getByLabel('Description').fill('Changed, and never saved.');
  await page.reload();
  await page.getByRole('button', { name: 'Add Level' }).press('Enter');
  await expect(dialog.getByLabel('Name')).toHaveValue('');
  await page.keyboard.press('Escape');
  await edit.press('Enter');
  await expect(dialog.getByLabel('Description')).toHaveValue('Changed, and never saved.');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
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
