import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { mailedLink } from './mails.ts';
import { toastOf } from './toast.ts';

test.use({ sharesWorld: true });

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
  expect(opened?.headers()['referrer-policy']).toBe('strict-origin');
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
  // In the page: a route that is set up only now may come after the request.
  await phone.evaluate(() => {
    const { fetch } = window;
    window.fetch = () => {
      window.fetch = fetch;
      return Promise.resolve(new Response('', { status: 502 }));
    };
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
