import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { inDatabase, mailedLink } from './mails.ts';
import { toastOf } from './toast.ts';

const NEW = 'a-lotus-of-my-own';

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const press = (page: Page, button: string) =>
  page.getByRole('button', { name: button, exact: true }).press('Enter');

test('who forgot the password asks for a link, opens it on another device, and signs in with a new one, by keyboard alone', async ({
  visitor,
  signedIn,
  world,
}) => {
  const student = await world.student();
  const elsewhere = await signedIn(student);
  const page = await visitor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  await press(page, 'Send Reset Link');
  await expect(toastOf(page)).toContainText('Email RequiredPlease enter your email address.');
  await expect(field(page, 'Email')).toBeFocused();
  await page.keyboard.type(student.email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
  await expect(
    page.getByText("If an account with that email exists, we've sent a password reset link.").first(),
  ).toBeVisible();
  await expect(page.getByText(/expires in 24 hours/)).toBeVisible();
  await expect(page.getByText(/spam/)).toBeVisible();
  await page.getByRole('link', { name: 'Back to Sign In' }).press('Enter');
  await expect(page).toHaveURL(`${world.url}/`);
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();

  const { pathname, search } = new URL(await mailedLink(world.dataDir, student.email));
  const phone = await visitor({ viewport: { width: 390, height: 844 } });
  const asked: (string | null)[] = [];
  phone.on('request', async (request) => {
    // What is asked for at the very end is no longer told of.
    asked.push(await request.headerValue('referer').catch(() => null));
  });
  const opened = await phone.goto(pathname + search);
  expect(opened?.headers()['referrer-policy']).toBe('same-origin');
  await expect(phone.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  // The token is out of sight, and a reload keeps it nevertheless.
  await expect(phone).toHaveURL(`${world.url}/reset-password`);
  await phone.evaluate(() => {
    sessionStorage.setItem('left', 'over');
    localStorage.setItem('draft of somebody', 'A song');
  });
  await phone.reload();
  asked.length = 0;
  await field(phone, 'New password').fill('short');
  await press(phone, 'Reset Password');
  await expect(phone.getByText('Password Too Short').first()).toBeVisible();
  await expect(field(phone, 'New password')).toBeFocused();
  // What only the server knows stands at the field too, and does not use the link up.
  await field(phone, 'New password').fill('12345678');
  await field(phone, 'Confirm new password').fill('12345678');
  await press(phone, 'Reset Password');
  await expect(phone.getByText('This password is among the most common ones').first()).toBeVisible();
  await expect(field(phone, 'New password')).toBeFocused();
  await expect(field(phone, 'New password')).toHaveAccessibleDescription(/among the most common ones/);
  await field(phone, 'Confirm new password').fill('');
  await field(phone, 'New password').focus();
  await phone.keyboard.press('ControlOrMeta+A');
  await phone.keyboard.type(NEW);
  // Past the button that shows it.
  await phone.keyboard.press('Tab');
  await phone.keyboard.press('Tab');
  await phone.keyboard.type(`${NEW}?`);
  await phone.keyboard.press('Enter');
  await expect(toastOf(phone)).toContainText("Passwords Don't Match");
  await expect(field(phone, 'Confirm new password')).toBeFocused();
  await phone.keyboard.press('Backspace');
  await phone.route('**/api/password-reset/confirm', (route) => route.fulfill({ status: 502, body: '' }), {
    times: 1,
  });
  await phone.keyboard.press('Enter');
  await expect(toastOf(phone)).toContainText('Failed to reset password. Please try again.');
  await field(phone, 'Confirm new password').press('Enter');
  await expect(phone.getByText('Password Reset Successful').first()).toBeVisible();
  await expect(phone.getByRole('heading', { name: 'Password Reset Complete' })).toBeFocused();
  expect(asked.filter((referer) => referer?.includes('token'))).toEqual([]);
  expect(
    await phone.evaluate(() => [sessionStorage.length, localStorage.getItem('draft of somebody')]),
  ).toEqual([0, 'A song']);

  await phone.getByRole('link', { name: 'Sign In' }).press('Enter');
  await expect(phone).toHaveURL(`${world.url}/`);
  await field(phone, 'Username').fill(student.username);
  await field(phone, 'Password').fill(NEW);
  await press(phone, 'Sign In');
  await expect(phone.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  expect((await elsewhere.request.get('/api/user')).status()).toBe(401);

  await test.step('the link works once', async () => {
    await page.goto(pathname + search);
    await field(page, 'New password').fill(NEW);
    await field(page, 'Confirm new password').fill(NEW);
    await press(page, 'Reset Password');
    const notice = page.getByRole('main').getByRole('alert');
    await expect(notice).toContainText('Invalid Reset Link');
    await expect(notice).toContainText('This password reset link is invalid or has expired.');
    await notice.getByRole('link', { name: 'Ask for a new link' }).click();
    await expect(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
  });
});

test('a link without its token says so, at once and when one tries', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/reset-password');
  const notice = page.getByRole('main').getByRole('alert');
  await expect(notice).toContainText('Invalid Reset Link');
  await field(page, 'New password').fill(NEW);
  await field(page, 'Confirm new password').fill(NEW);
  await press(page, 'Reset Password');
  await expect(notice).toContainText('Invalid Token');
});

test('a request on a dead connection says so and keeps what was typed', async ({ visitor }) => {
  const page = await visitor();
  await page.goto('/forgot-password');
  await page.route('**/api/password-reset/request', (route) => route.abort());
  await field(page, 'Email').fill('tashi@example.org');
  await press(page, 'Send Reset Link');
  const notice = page.getByRole('main').getByRole('alert');
  await expect(notice).toContainText('Failed to send reset email. Please try again.');
  await expect(field(page, 'Email')).toHaveValue('tashi@example.org');
});

test('a password is changed by keyboard alone; another device is signed out, this one is not', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const other = await signedIn(student);
  await other.goto('/past-recordings');
  const page = await signedIn(student);
  await page.goto('/');
  await page.getByRole('link', { name: /change password/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeFocused();
  await expect(page.getByText('A mix of letters, numbers and symbols recommended')).toBeVisible();

  const type = async (label: string, text: string) => {
    await expect(field(page, label)).toBeFocused();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
    // Past the button that shows it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
  };
  const fill = async (current: string, next: string, confirmation: string) => {
    await type('Current password', current);
    await type('New password', next);
    await type('Confirm new password', confirmation);
    await page.keyboard.press('Enter');
  };
  const isSaid = (sentence: string) => expect(page.getByRole('main').getByText(sentence)).toBeVisible();

  await page.keyboard.press('Tab');
  await fill(' ', '', '');
  await isSaid('New password must be at least 6 characters long.');
  await field(page, 'Current password').focus();
  await fill('not it', NEW, NEW);
  await isSaid('Current password is incorrect');
  await expect(toastOf(page)).toContainText('Failed to change passwordCurrent password is incorrect');
  await fill(student.password, student.password, student.password);
  await isSaid('New password must be different from your current password.');
  await field(page, 'Current password').focus();
  await fill(student.password, NEW, `${NEW}?`);
  await isSaid('New password and confirmation do not match.');
  await field(page, 'Current password').focus();
  await fill(student.password, NEW, NEW);
  await expect(
    page.getByRole('main').getByRole('status').filter({ hasText: 'Password changed' }),
  ).toBeVisible();
  await expect(field(page, 'New password')).toHaveValue('');

  await page.getByRole('link', { name: 'Past Recordings' }).click();
  await expect(page.getByRole('heading', { name: 'Past Recordings' })).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(200);
  await other.reload();
  await expect(other.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('each password can be shown, and a manager is told whose it is and which', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/change-password');
  for (const label of ['Current password', 'New password', 'Confirm new password']) {
    await field(page, label).fill('see me');
    await press(page, `Show ${label.toLowerCase()}`);
    await expect(field(page, label)).toHaveAttribute('type', 'text');
    await press(page, `Hide ${label.toLowerCase()}`);
    await expect(field(page, label)).toHaveAttribute('type', 'password');
  }
  const told = await page
    .locator('form input')
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute('autocomplete'), input.hasAttribute('hidden')]),
    );
  expect(told).toEqual([
    ['username', true],
    ['current-password', false],
    ['new-password', false],
    ['new-password', false],
  ]);
  await expect(page.locator('input[autocomplete=username]')).toHaveValue(student.username);
});

test('signing out everywhere else ends the other sessions and says so', async ({ signedIn, world }) => {
  const student = await world.student();
  const other = await signedIn(student);
  const page = await signedIn(student);
  await page.goto('/change-password');
  await press(page, 'Sign out everywhere else');
  await expect(page.getByRole('main').getByText('You are signed out everywhere else.')).toBeVisible();
  expect((await other.request.get('/api/user')).status()).toBe(401);
  expect((await page.request.get('/api/user')).status()).toBe(200);
});

test('to choose an own password is suggested until it is dismissed, and never again after', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  await inDatabase(world.dataDir, 'update users set suggest_own_password = true where id = $1', [student.id]);
  const page = await signedIn(student);
  const suggestion = page.getByText(/Your password was made for you/);
  await page.goto('/melodies');
  await expect(suggestion).toBeVisible();
  await page.getByRole('link', { name: 'Choose my own password' }).click();
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  await expect(suggestion).toHaveCount(0);
  await page.goBack();
  await expect(suggestion).toBeVisible();

  await page.route('**/api/user/password-suggestion', (route) => route.abort());
  await press(page, 'Keep this one');
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await page.unroute('**/api/user/password-suggestion');
  await press(page, 'Keep this one');
  await expect(suggestion).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sacred Melodies' })).toBeVisible();
  await expect(suggestion).toHaveCount(0);
});

test('the pages about passwords can be used by everyone, in both themes and at 320 px', async ({
  visitor,
  signedIn,
  world,
}) => {
  const student = await world.student();
  await inDatabase(world.dataDir, 'update users set suggest_own_password = true where id = $1', [student.id]);
  for (const colorScheme of ['light', 'dark'] as const) {
    const small = { colorScheme, viewport: { width: 320, height: 640 } };
    const expectGood = async (page: Page, what: string) => {
      await expectAccessible(page, `${what} ${colorScheme}`);
      await expectNoSidewaysScroll(page, what);
    };
    const page = await visitor(small);
    await page.goto('/forgot-password');
    await press(page, 'Send Reset Link');
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true');
    await expectGood(page, 'forgot');
    await field(page, 'Email').fill(`nobody.${colorScheme}@example.org`);
    await press(page, 'Send Reset Link');
    await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible();
    await expectGood(page, 'sent');
    await page.goto('/reset-password');
    await expect(page.getByRole('main').getByText('Invalid Reset Link')).toBeVisible();
    await expectGood(page, 'reset without a token');
    await page.goto('/reset-password?token=nothing');
    await press(page, 'Reset Password');
    await expect(field(page, 'New password')).toHaveAttribute('aria-invalid', 'true');
    await expectGood(page, 'reset');

    const inside = await signedIn(student, small);
    await inside.goto('/change-password');
    await press(inside, 'Change Password');
    await expect(field(inside, 'Current password')).toHaveAttribute('aria-invalid', 'true');
    await expectGood(inside, 'change');
    await inside.goto('/');
    await expect(inside.getByText(/Your password was made for you/)).toBeVisible();
    await inside.waitForLoadState('networkidle');
    await expectGood(inside, 'suggestion');
  }
});

test('nothing moves when the program takes over the page that was painted first', async ({ visitor }) => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    const page = await visitor({ viewport });
    // Held back until the page's own lines have been measured.
    let letGo = () => {};
    const measured = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/assets/index-*.js', async (route) => {
      await measured;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    const link = page.getByRole('link', { name: 'Forgot your password?' });
    await expect(link).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const before = await link.boundingBox();
    letGo();
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
    expect(await link.boundingBox()).toEqual(before);
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(
              list
                .getEntries()
                .reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
            ),
          ).observe({ type: 'layout-shift', buffered: true });
          // No shift, no entry.
          setTimeout(() => resolve(0), 300);
        }),
    );
    expect(shift).toBeLessThan(0.001);
  }
});
