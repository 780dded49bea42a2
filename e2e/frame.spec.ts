import { expectAccessible } from './axe.ts';
import { submit } from './desk.ts';
import { TEACHER, expect, test } from './fixtures.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('a visitor sees the sign-in page at any address, and comes to the page asked for', async ({
  visitor,
  world,
}) => {
  const student = await world.student();
  const page = await visitor();
  await page.goto('/past-recordings');
  await expect(page.getByText(/up to 2 minutes of audio/).filter({ visible: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();
  await page.getByLabel('Username').fill(student.username);
  await page.getByLabel('Password', { exact: true }).fill('not it');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByText('Login failed').first()).toBeVisible();
  await expect(page.getByText('Invalid username or password').first()).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue(student.username);
  await page.getByLabel('Password', { exact: true }).fill(student.password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Past Recordings' })).toBeVisible();
  await expect(page.getByText('No recordings yet')).toBeVisible();
});

test('a visitor asks for access, and the form is empty again', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Request Access' }).click();
  await page.getByLabel('Full name').fill('Ani Lhamo');
  await page.getByLabel('Email').fill(`ani.${crypto.randomUUID().slice(0, 6)}@example.org`);
  await page.getByRole('button', { name: 'Submit Request' }).click();
  await expect(page.getByText('Registration request submitted').first()).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('');
});

test('a session that is lost is said once, and leads to the sign-in page', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await page.request.post('/api/logout');
  // An answer without content keeps the browser where it is, so that what the page says can be read at leisure.
  let isFirst = true;
  await page.route('**/api/login', (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    return route.fulfill({ status: 204 });
  });
  const left = page.waitForRequest('**/api/login');
  await page.getByRole('link', { name: 'Past Recordings' }).click();
  await expect(page.getByText('You are logged out. Logging in again...').first()).toBeVisible();
  await (await left).response();
  await page.goto('/api/login');
  await page.waitForURL('**/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('headings and text are set in the faces that come with the app', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Your Sacred Journey' })).toBeVisible();
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts]
        .filter(({ status }) => status === 'loaded')
        .map(({ family, style }) => `${family} ${style}`),
    );
  await expect
    .poll(loaded)
    .toEqual(expect.arrayContaining([expect.stringMatching(/Source Serif 4"? normal/)]));
  await expect
    .poll(loaded)
    .toEqual(expect.arrayContaining([expect.stringMatching(/Source Sans 3"? normal/)]));
});

test('signing out leads to the sign-in page, and back does not show what was there', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  await page.goto('/past-recordings');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('who was signed out by whatever way is not taken for present later, without a line', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  await page.goto('/');
  const remembered = () => page.evaluate(() => localStorage.getItem('last user'));
  await expect.poll(remembered).toContain('username');
  await page.goto('/api/logout');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect.poll(remembered).toBeNull();
});

test('menus differ by role, and a page that is not for one’s role says so', async ({ signedIn, world }) => {
  const student = await signedIn(await world.student());
  await student.goto('/');
  const menu = student.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link')).toHaveText([
    'Melodies Library',
    'Submit Recording',
    'View Feedback',
    'Past Recordings',
  ]);
  await student.goto('/admin');
  await expect(student.getByText('Access Denied')).toBeVisible();
  await student.goto('/admin/registrations');
  await expect(student.getByText('Access Denied')).toBeVisible();
  await student.goto('/admin/invite');
  await expect(student.getByText('This section is for administrators only.')).toBeVisible();

  const teacher = await signedIn(TEACHER);
  await teacher.goto('/submit');
  await expect(teacher.getByText('This section is for students only.')).toBeVisible();
  const links = teacher.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toContainText([
    'Melodies Library',
    'Add Melody',
    'Admin Inbox',
    'Registration Requests',
    'Past Feedback',
    'User Management',
    'Invite Users',
  ]);
  await teacher.goto('/nowhere');
  await expect(teacher.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect(teacher.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test('on a phone the menu is a drawer, which closes with the link that is pressed and with Escape', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student(), phone);
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('link', { name: 'Past Recordings' }).click();
  await expect(page.getByRole('heading', { name: 'Past Recordings' })).toBeVisible();
  await expect(drawer).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeFocused();
});

test('on a phone the menu’s button says what waits behind it, as it comes and goes', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student, phone);
  const listening = page.waitForResponse('**/api/events');
  await page.goto('/melodies');
  const title = page.getByRole('banner').getByText('Sacred Melodies');
  const before = await title.boundingBox();
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toHaveText('Menu');
  await listening;

  const recordingId = await submit(world, student, { title: 'For the desk' });
  await world.teacher.post('/api/register-request', {
    fullName: 'Who Waits',
    email: `${crypto.randomUUID()}@example.org`,
  });
  const teacher = await signedIn(TEACHER, phone);
  await teacher.goto('/melodies');
  await expect(
    teacher.getByRole('button', { name: /^Menu, \d+ waiting: \d+ pending, \d+ pending requests$/ }),
  ).toBeVisible();
  await expectAccessible(teacher, 'the button of the menu with two counts');

  await world.teacher.form('/api/feedback', { recordingId, writtenFeedback: 'Heard.' });
  const menu = page.getByRole('button', { name: 'Menu, 1 unread', exact: true });
  await expect(menu).toContainText('1');
  expect(await title.boundingBox()).toEqual(before);
  await expectAccessible(page, 'the button of the menu with a count');
  await menu.click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /View Feedback/ })
    .click();
  await expect(page.getByText('Heard.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toHaveText('Menu');
});

test('dark is chosen in the settings by keyboard alone, and stays', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/');
  await page.getByRole('button', { name: /account/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).press('Enter');
  await page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('whether news comes by mail is chosen in the settings, and stays', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/');
  const open = async () => {
    await page.getByRole('button', { name: /account/ }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
  };
  await open();
  const mail = page.getByRole('checkbox', { name: /Tell me when there is feedback/ });
  await expect(mail).toBeChecked();
  await mail.click();
  await expect(mail).not.toBeChecked();
  await expect(mail).toBeEnabled();
  await page.reload();
  await open();
  await expect(mail).not.toBeChecked();
});
