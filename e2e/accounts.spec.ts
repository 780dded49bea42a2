import type { Locator, Page } from '@playwright/test';
import { copied } from './clipboard.ts';
import { expectAccessible } from './axe.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { toastOf } from './toast.ts';

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

test('a student who is disabled while signed in is led to the sign-in page by the next step, and back in when enabled', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Disabled', lastName: 'Soon' });
  const browser = await signedIn(student);
  await browser.goto('/');
  await expect(browser.getByRole('heading', { name: /Welcome to/ })).toBeVisible();

  const teacherPage = await signedIn(TEACHER);
  await teacherPage.goto('/admin/users');
  await teacherPage.getByLabel('Search users').fill(student.username);
  await teacherPage.getByRole('button', { name: 'Disable Disabled Soon' }).click();
  await expect(teacherPage.getByText('User Status Updated').first()).toBeVisible();
  const row = teacherPage.getByRole('listitem').filter({ hasText: student.email });
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible();

  await browser.getByRole('link', { name: 'Past Recordings' }).click();
  await browser.waitForURL('**/auth');
  await browser.getByLabel('Username').fill(student.username);
  await browser.getByLabel('Password', { exact: true }).fill(student.password);
  await browser.getByLabel('Password', { exact: true }).press('Enter');
  await expect(
    browser.getByText('This account has been disabled. Please contact your teacher.').first(),
  ).toBeVisible();

  await row.getByRole('button', { name: 'Enable Disabled Soon' }).press('Enter');
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
  await expect(row.getByText('Saved: can sign in again.')).toBeVisible();
  await browser.getByLabel('Password', { exact: true }).press('Enter');
  await expect(browser.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
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
  await page.route(`**/api/admin/users/${student.id}`, (route) => route.fulfill({ status: 502, body: '' }), {
    times: 1,
  });
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(toastOf(page)).toContainText('Failed to delete user.');
  await expect(page.getByRole('link', { name: new RegExp(student.username) })).toBeVisible();
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

test('the list tells of each user who it is; another teacher can be disabled there, and not deleted', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Listed', lastName: 'Student' });
  await world.sql(
    `insert into users (id, email, username, password, role, is_active)
     values (gen_random_uuid()::text, 'ani.listed@example.org', 'ani.listed', 'x', 'admin', true)`,
  );
  const page = await signedIn(TEACHER);
  await page.goto('/admin/users');
  const row = page.getByRole('region', { name: 'Users' }).getByRole('listitem');
  await page.getByLabel('Search users').fill(student.username);
  await expect(row.getByRole('link')).toHaveText(
    [student.username, 'Student', 'Active', 'Listed Student', student.email].join(''),
  );
  await expect(row.getByRole('button')).toHaveText(['Disable', 'Delete']);
  await page.getByLabel('Search users').fill('ani.listed');
  await expect(row.getByRole('link')).toHaveText('ani.listedKhandro-laActiveani.listed@example.org');
  await expect(row.getByRole('button')).toHaveText(['Disable']);
  await world.sql(`delete from users where username = 'ani.listed'`);
});

test('a level is added, renamed and deleted by keyboard alone, and one that a melody uses has no way to be', async ({
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
  await levels.getByRole('button', { name: 'Add Level' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add Level' }).press('Enter');
  await expect(dialog.getByText('Please give the level a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Refuge');
  await dialog.getByRole('button', { name: 'Add Level' }).press('Enter');
  await expect(dialog.getByText('Another level has this name.')).toBeVisible();
  await expectAccessible(page, 'a level that could not be added');
  await expect(toastOf(page)).toContainText('Failed to add levelAnother level has this name.');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Name').press('Enter');
  await expect(levels.getByText('Level added')).toBeVisible();
  await expect(levels.getByRole('button', { name: 'Add Level' })).toBeFocused();

  await levels.getByRole('button', { name: `Edit ${name}` }).press('Enter');
  await dialog.getByLabel('Name').fill('Refuge');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(toastOf(page)).toContainText('Failed to update levelAnother level has this name.');
  await dialog.getByLabel('Name').fill(`${name} II`);
  await dialog.getByLabel('Description').fill('x'.repeat(5_001));
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog.getByText('1 character too many: at most 5,000 can be sent.')).toBeVisible();
  await expect(dialog.getByLabel('Description')).toBeFocused();
  await expect(dialog.getByLabel('Description')).toHaveValue('x'.repeat(5_001));
  await dialog.getByLabel('Description').fill('For the few.');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(toastOf(page)).toContainText(`Level updated${name} II`);
  const item = levels.getByRole('listitem').filter({ hasText: `${name} II` });
  await expect(item).toContainText('For the few.');
  await item.getByRole('button', { name: `Delete ${name} II` }).press('Enter');
  await page.route(
    '**/api/admin/transmission-levels/*',
    (route) => route.fulfill({ status: 502, body: '' }),
    { times: 1 },
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(levels.getByText('Failed to delete level')).toBeVisible();
  await item.getByRole('button', { name: `Delete ${name} II` }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
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

test('of several quick ticks the box ends as the server has it, whichever of them could not be saved', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Quick', lastName: 'Ticks' });
  const page = await signedIn(TEACHER);
  await page.goto(`/admin/users?user=${student.id}`);
  const refuge = page.getByRole('checkbox', { name: 'Refuge' });
  await expect(refuge).not.toBeChecked();
  /** Presses as often; the saves that follow fail or not, one after the other, when all have been pressed. */
  const tick = async (saves: ('fails' | 'works')[]) => {
    let letGo = () => {};
    const pressed = new Promise<void>((resolve) => (letGo = resolve));
    const left = [...saves];
    await page.route(/transmission-access(\/\d+)?$/, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await pressed;
      return left.shift() === 'fails' ? route.fulfill({ status: 502, body: '' }) : route.continue();
    });
    for (const _ of saves) await refuge.press('Space');
    letGo();
    await expect.poll(() => left.length).toBe(0);
    await expect(page.getByText('Saving…')).toHaveCount(0);
    await page.unroute(/transmission-access(\/\d+)?$/);
    const { body } = await world.teacher.get(`/api/admin/users/${student.id}/transmission-access`);
    return (body as unknown[]).length === 2;
  };
  expect(await tick(['fails', 'works', 'works'])).toBe(true);
  await expect(refuge).toBeChecked();
  expect(await tick(['works', 'fails'])).toBe(false);
  await expect(refuge).not.toBeChecked();
  expect(await tick(['fails', 'fails'])).toBe(false);
  await expect(refuge).not.toBeChecked();

  await refuge.press('Space');
  await expect(toastOf(page)).toContainText('Access Granted');
  await refuge.press('Space');
  await expect(toastOf(page)).toContainText('Access Revoked');

  // Saved, and only the answer lost.
  await page.route('**/transmission-access', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await refuge.press('Space');
  await expect(toastOf(page)).toContainText('Failed to grant transmission access.');
  await expect(refuge).toBeChecked();
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
