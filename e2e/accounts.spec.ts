import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

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
  await expect(guest.getByText('Registration request submitted').first()).toBeVisible();

  const desk = await signedIn(TEACHER);
  await desk.goto('/admin/registrations');
  const card = desk.getByRole('listitem').filter({ hasText: email });
  await expect(card).toContainText('Pending Review');
  await expect(card.getByRole('checkbox', { name: 'Open to All' })).toBeChecked();
  const before = await pendingCount(desk);
  await card.getByRole('checkbox', { name: 'Refuge' }).check();
  await card.getByRole('button', { name: /Approve & Send Credentials/ }).press('Enter');
  await expect(desk.getByText("Login credentials have been sent to the user's email").first()).toBeVisible();
  await expect(desk.getByRole('region', { name: 'Recent Activity' })).toContainText(email);
  await expect.poll(() => pendingCount(desk)).toBe(before - 1);

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
  const said = await Promise.all(
    windows.map((page) => page.getByRole('region', { name: 'Pending Requests' }).textContent()),
  );
  expect(said.filter((text) => text?.includes('User approved'))).toHaveLength(1);
  expect(said.filter((text) => text?.includes('This request has been approved already.'))).toHaveLength(1);
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
  await expect(page.getByText('Registration request has been removed from the queue').first()).toBeVisible();
  await expect(page.getByText(first.email)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: second.name })).toBeFocused();
});

test('a student who is disabled while signed in is led to the sign-in page by the next step', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Disabled', lastName: 'Soon' });
  const browser = await signedIn(student);
  await browser.goto('/');
  await expect(browser.getByRole('heading', { name: /Welcome to/ })).toBeVisible();

  const desk = await signedIn(TEACHER);
  await desk.goto('/admin/users');
  await desk.getByLabel('Search users').fill(student.username);
  await desk.getByRole('button', { name: 'Disable Disabled Soon' }).click();
  await expect(desk.getByText('User Status Updated').first()).toBeVisible();
  const row = desk.getByRole('listitem').filter({ hasText: student.email });
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible();

  await browser.getByRole('link', { name: 'Past Recordings' }).click();
  await browser.waitForURL('**/auth');
  await browser.getByLabel('Username').fill(student.username);
  await browser.getByLabel('Password', { exact: true }).fill(student.password);
  await browser.getByLabel('Password', { exact: true }).press('Enter');
  await expect(
    browser.getByText('This account has been disabled. Please contact your teacher.').first(),
  ).toBeVisible();
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

test('a user is deleted after being asked in the specified words, and the selection clears', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Gone', lastName: 'Tomorrow' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin/users');
  await expect(page.getByRole('listitem').filter({ hasText: 'khandro' }).first()).toBeVisible();
  await page.getByLabel('Search users').fill(student.username);
  await page.getByRole('link', { name: new RegExp(student.username) }).click();
  await expect(page).toHaveURL(/user=/);
  await page.getByRole('button', { name: 'Delete Gone Tomorrow' }).press('Enter');
  const dialog = page.getByRole('alertdialog', {
    name: 'Are you sure you want to delete Gone Tomorrow? This action cannot be undone.',
  });
  await expectAccessible(page, 'asked to delete a user');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Delete Gone Tomorrow' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete Gone Tomorrow' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Users' }).getByText('User Deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/users$/);
  await expect(page.getByText('Select a user to see their transmission levels.')).toBeVisible();
  await expect(page.getByLabel('Search users')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Who did what' })).toContainText('deleted Gone Tomorrow');

  await page.getByLabel('Search users').fill(TEACHER.username);
  const own = page.getByRole('listitem').filter({ hasText: 'This is your own account.' });
  await expect(own.getByRole('button')).toHaveCount(0);
  await own.getByRole('link').click();
  await expect(page.getByText('Admins have access to all levels by default.')).toBeVisible();
});

test('a level is added, renamed and deleted, and one that a melody uses has no way to be', async ({
  signedIn,
  world,
}) => {
  const open = await world.level('Open to All');
  await world.teacher.form('/api/melodies', { title: 'Uses the level', transmissionLevelId: open.id });
  const page = await signedIn(TEACHER, phone);
  await page.goto('/admin/users');
  const levels = page.getByRole('region', { name: 'Levels' });
  await expect(levels.getByRole('listitem').filter({ hasText: 'Open to All' })).toContainText(/melod(y|ies)/);
  await expect(levels.getByRole('button', { name: 'Delete Open to All' })).toHaveCount(0);

  const name = `Mahamudra ${crypto.randomUUID().slice(0, 4)}`;
  await levels.getByRole('button', { name: 'Add Level' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add Level' }).click();
  await expect(dialog.getByText('Please give the level a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Refuge');
  await dialog.getByRole('button', { name: 'Add Level' }).click();
  await expect(dialog.getByText('Another level has this name.')).toBeVisible();
  await expectAccessible(page, 'a level that could not be added');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add Level' }).click();
  await expect(levels.getByText('Level added')).toBeVisible();
  await expect(levels.getByRole('button', { name: 'Add Level' })).toBeFocused();

  await levels.getByRole('button', { name: `Edit ${name}` }).click();
  await dialog.getByLabel('Name').fill(`${name} II`);
  await dialog.getByLabel('Description').fill('For the few.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const item = levels.getByRole('listitem').filter({ hasText: `${name} II` });
  await expect(item).toContainText('For the few.');
  await item.getByRole('button', { name: `Delete ${name} II` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(levels.getByText('Level deleted')).toBeVisible();
  await expect(item).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Who did what' })).toContainText(
    `deleted the level ${name} II`,
  );
});

test('on a phone the list leads to the levels of a user and back, with focus and the search kept', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'On', lastName: 'Phone' });
  const page = await signedIn(TEACHER, phone);
  await page.goto('/admin/users');
  await page.getByLabel('Search users').fill(student.username);
  const link = page.getByRole('link', { name: new RegExp(student.username) });
  await link.click();
  await expect(page.getByRole('heading', { name: 'On Phone' })).toBeFocused();
  await expect(link).toBeHidden();
  await page.getByRole('button', { name: 'Back to all users' }).click();
  await expect(link).toBeFocused();
});

test('what could not be saved of a user is taken back, and says so where it was tried', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Not', lastName: 'Saved' });
  const page = await signedIn(TEACHER);
  await page.goto(`/admin/users?user=${student.id}`);
  await page.getByLabel('Search users').fill(student.username);
  const fail = (path: string) => page.route(path, (route) => route.fulfill({ status: 502, body: '' }));
  await fail('**/transmission-access/*');
  await fail('**/status');
  await expect(page.getByRole('checkbox', { name: 'Open to All' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'Open to All' }).press('Space');
  await expect(page.getByText('Failed to revoke transmission access.').first()).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Open to All' })).toBeChecked();
  await fail('**/transmission-access');
  await page.getByRole('checkbox', { name: 'Refuge' }).press('Space');
  await expect(page.getByText('Failed to grant transmission access.').first()).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Refuge' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Disable Not Saved' }).press('Enter');
  const row = page.getByRole('listitem').filter({ hasText: student.email });
  await expect(row.getByRole('alert')).toContainText('Failed to update user status.');
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
});

test('a created password is shown, copied and cleared by keyboard alone', async ({ signedIn }) => {
  const { email } = newcomer('Created');
  const page = await signedIn(TEACHER, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/admin/invite');
  const form = page.getByRole('region', { name: 'Create User with Credentials' });
  await form.getByRole('button', { name: 'Create User' }).press('Enter');
  await expect(
    form.getByText('Please fill in all fields and select at least one transmission level.'),
  ).toBeVisible();
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('First name').fill('Created');
  await form.getByLabel('Last name').fill('Person');
  await form.getByLabel('Last name').press('Enter');
  const password = form.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('type', 'password');
  await form.getByRole('button', { name: 'Show password' }).press('Enter');
  await expect(password).toHaveAttribute('type', 'text');
  await form.getByRole('button', { name: 'Copy password' }).press('Enter');
  await expect(page.getByText('Password copied to clipboard').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await password.inputValue());
  await expectAccessible(page, 'created credentials');
  await form.getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(password).toHaveCount(0);
  // It moves a frame later.
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
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
