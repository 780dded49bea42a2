import { expectAccessible } from './axe.ts';
import { submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { toastOf } from './toast.ts';

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
  let letGo = () => {};
  const seen = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(
    '**/api/login',
    async (route) => {
      await seen;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  letGo();
  await expect(page.getByText('Login failed').first()).toBeVisible();
  await expect(page.getByText('Invalid username or password').first()).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue(student.username);
  await page.getByLabel('Password', { exact: true }).fill(student.password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Past Recordings' })).toBeVisible();
  await expect(page.getByText('No recordings yet')).toBeVisible();
});

test('a visitor asks for access, and the form is empty again; what the server refuses it says, and keeps what was typed', async ({
  visitor,
}) => {
  const email = `ani.${crypto.randomUUID().slice(0, 6)}@example.org`;
  const page = await visitor();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Request Access' }).click();
  await page.getByRole('button', { name: 'Submit Request' }).click();
  await expect(page.getByText('Please enter your full name.')).toBeVisible();
  await expect(page.getByText('Please enter your email address.')).toBeVisible();
  const ask = async () => {
    await page.getByLabel('Full name').fill('Ani Lhamo');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Submit Request' }).click();
  };
  await ask();
  await expect(toastOf(page)).toContainText('Registration request submitted');
  await expect(page.getByLabel('Full name')).toHaveValue('');
  // Five an hour are taken for one email.
  for (let times = 2; times <= 5; times += 1)
    await page.request.post('/api/register-request', { data: { fullName: 'Ani Lhamo', email } });
  await ask();
  await expect(toastOf(page)).toContainText(
    'Registration request failedToo many requests. Please try again in an hour.',
  );
  await expect(page.getByLabel('Full name')).toHaveValue('Ani Lhamo');
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
  const sizes = await page.evaluate(() =>
    [document.documentElement, document.body].map((element) => getComputedStyle(element).fontSize),
  );
  expect(sizes).toEqual(['16px', '18px']);
});

test('signing out leads to the sign-in page, and back does not show what was there', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  await page.goto('/');
  await page.route(
    '**/api/logout',
    (route) => route.fulfill({ status: 503, json: { message: 'Not now.' } }),
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Logout failedNot now.');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  await page.goto('/past-recordings');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('the account menu leads to the profile, and signs out; the sign-in page is not for who is signed in', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  await page.goto('/auth');
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await expect(page).toHaveURL(`${world.url}/`);
  // Those for a forgotten password are for everybody.
  await page.goto('/reset-password');
  await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  await page.goto('/forgot-password');
  await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await page.goto('/');
  const open = () => page.getByRole('button', { name: /account/ }).click();
  await open();
  await expect(page.getByRole('menuitem')).toHaveText(['Profile', 'Settings', 'Logout']);
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  await expect(page).toHaveURL(`${world.url}/change-password`);
  await open();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('while the home page’s code is awaited, its own words say so', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  let letGo = () => {};
  const seen = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/home-page-*.js', async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto('/past-recordings');
  const menu = page.getByRole('complementary', { name: 'Side menu' });
  // 64 units of a quarter of a rem.
  expect((await menu.boundingBox())?.width).toBe(256);
  await menu.getByRole('link', { name: 'Yangchen' }).click();
  await expect(page.getByText('Loading sacred space...')).toBeVisible();
  letGo();
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
});

test('one toast shows at once, for five seconds; F8 leads to it, and a swipe of 50 px sends it away', async ({
  signedIn,
}) => {
  const page = await signedIn(TEACHER, { viewport: { width: 1440, height: 900 } });
  await page.clock.install();
  await page.goto('/admin/invite');
  const send = page.getByRole('button', { name: 'Send 0 Invites' });
  const create = page.getByRole('button', { name: 'Create User' });
  const toast = toastOf(page);
  const place = async () => {
    const { x, y, width, height } = (await page.locator('ol').and(page.getByRole('list')).boundingBox())!;
    return { x, y, width, bottom: y + height };
  };
  await expect(send).toBeVisible();
  // From here on time goes only where it is told to.
  await page.clock.pauseAt(Date.now() + 60_000);

  await create.press('Enter');
  await expect(toast).toContainText('Please fill in all fields and select');
  await page.clock.runFor(4_000);
  await send.press('Enter');
  await expect(toast).toHaveCount(1);
  await expect(toast).toContainText('for at least one invite');
  const wide = await place();
  expect(wide).toMatchObject({ width: 420, bottom: 900 });
  // At the end, but for the room of a scroll bar.
  expect(wide.x).toBeGreaterThanOrEqual(1440 - 420 - 20);
  await page.clock.runFor(4_999);
  await expect(toast).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(toast).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await send.press('Enter');
  await expect(toast).toHaveCount(1);
  expect(await place()).toMatchObject({ x: 0, y: 0 });
  await page.keyboard.press('F8');
  await expect(page.locator('ol:focus, ol :focus')).toHaveCount(1);

  const swipe = async (px: number) => {
    const { x, y } = (await toast.boundingBox())!;
    await page.mouse.move(x + 40, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20);
    await page.mouse.move(x + 40 + px, y + 20);
    await page.mouse.up();
  };
  await swipe(49);
  await expect(toast).toHaveCount(1);
  await swipe(51);
  await expect(toast).toHaveCount(0);
});

test('a tooltip shows after 700 ms, and at once within 300 ms of another', async ({ signedIn }) => {
  const page = await signedIn(TEACHER);
  await page.clock.install();
  await page.goto('/admin/invite');
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  const remove = (number: number) => page.getByRole('button', { name: `Remove invite ${number}` });
  // The button has a name; the text is the tooltip's.
  const tooltip = (number: number) => page.getByText(`Remove invite ${number}`, { exact: true });
  await expect(remove(2)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);

  await remove(1).hover();
  await page.clock.runFor(699);
  await expect(tooltip(1)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip(1)).toBeVisible();
  // Straight to the next one.
  await remove(2).hover();
  await page.clock.runFor(1);
  await expect(tooltip(2)).toBeVisible();
  await expect(tooltip(1)).toHaveCount(0);
  // Away, and back within the time.
  await page.mouse.move(0, 0);
  await page.clock.runFor(120);
  await expect(tooltip(2)).toHaveCount(0);
  await page.clock.runFor(170);
  await remove(1).hover();
  await page.clock.runFor(1);
  await expect(tooltip(1)).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(420);
  await remove(1).hover();
  await page.clock.runFor(699);
  await expect(tooltip(1)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip(1)).toBeVisible();
});

test('who was signed out by whatever way is not taken for present later, without a connection', async ({
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

  const recordingId = await submit(world, student, { title: 'For the inbox' });
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
