import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent } from '#testing/browser/community.ts';
import { mockEndpoint, breakConnection, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import {
  expectAccessibleInBothThemes,
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn as pressKey,
  toastItem,
  userEvent,
} from '#testing/browser/screen.ts';
import { PASSKEYS_NOT_REMOVABLE_MESSAGE } from '../limits.ts';

const NEW = 'a-lotus-of-my-own';

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
const press = (button: string) => pressKey(page.getByRole('button', { name: button, exact: true }), 'Enter');
const notice = page.getByRole('main').getByRole('alert');
const visitor = { user: null };

test('a user who forgot the password requests a reset link with only the keyboard', async () => {
  mockEndpoint(api.passwords.requestReset, { message: 'Sent' });
  await renderPage('/', visitor);
  await pressKey(page.getByRole('link', { name: 'Forgot your password?' }), 'Enter');
  await expect.element(page.getByRole('heading', { name: 'Forgot Password' })).toHaveFocus();
  await press('Send Reset Link');
  await expectText(toastItem, 'Email RequiredPlease enter your email address.');
  await expect.element(field('Email')).toHaveFocus();
  await userEvent.keyboard('tashi@example.org{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Check Your Email' })).toHaveFocus();
  await expect
    .element(
      page.getByText("If an account with that email exists, we've sent a password reset link.").first(),
    )
    .toBeVisible();
  await expect.element(page.getByText(/expires in 24 hours/)).toBeVisible();
  await expect.element(page.getByText(/spam/)).toBeVisible();
  expect(getCalls(api.passwords.requestReset)[0]?.body).toEqual({ email: 'tashi@example.org' });
  await pressKey(page.getByRole('link', { name: 'Back to Sign In' }), 'Enter');
  await expectUrl(/^\/$/);
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('a reset request that fails while offline keeps the typed email', async () => {
  breakConnection(api.passwords.requestReset);
  await renderPage('/forgot-password', visitor);
  await field('Email').fill('tashi@example.org');
  await press('Send Reset Link');
  await expectText(notice, 'Failed to send reset email. Please try again.');
  await expect.element(field('Email')).toHaveValue('tashi@example.org');
});

test('the reset form shows errors at their fields, then sets the new password', async () => {
  await renderPage('/reset-password?token=of-the-mail', visitor);
  await expect.element(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  // The token disappears from the URL, but is still available after a reload.
  await expectUrl(/^\/reset-password$/);
  sessionStorage.setItem('left', 'over');
  localStorage.setItem('draft of somebody', 'A song');
  await reloadPage();
  await field('New password').fill('short');
  await press('Reset Password');
  await expect.element(page.getByText('Password Too Short').first()).toBeVisible();
  await expect.element(field('New password')).toHaveFocus();
  // Errors that only the server can detect also appear at the field.
  const common = 'This password is very common. Please choose another.';
  rejectCalls(api.passwords.confirmReset, 400, {
    message: common,
    issues: [{ path: 'newPassword', message: common }],
    times: 1,
  });
  await field('New password').fill('12345678');
  await field('Confirm new password').fill('12345678');
  await press('Reset Password');
  await expect.element(page.getByText(common).first()).toBeVisible();
  await expect.element(field('New password')).toHaveFocus();
  await expect
    .element(field('New password'))
    .toHaveAccessibleDescription(expect.stringMatching(/very common/));
  await field('Confirm new password').fill('');
  await field('New password').fill('');
  await field('New password').click();
  // The first Tab moves to the button that shows the password.
  await userEvent.keyboard(`${NEW}{Tab}{Tab}${NEW}?{Enter}`);
  await expectText(toastItem, "Passwords Don't Match");
  await expect.element(field('Confirm new password')).toHaveFocus();
  await userEvent.keyboard('{Backspace}');
  rejectCalls(api.passwords.confirmReset, 502, { times: 1 });
  await userEvent.keyboard('{Enter}');
  await expectText(toastItem, 'Failed to reset password. Please try again.');
  mockEndpoint(api.passwords.confirmReset, { message: 'Reset' });
  await pressKey(field('Confirm new password'), 'Enter');
  await expect.element(page.getByText('Password Reset Successful').first()).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Password Reset Complete' })).toHaveFocus();
  expect(getCalls(api.passwords.confirmReset).at(-1)?.body).toEqual({
    token: 'of-the-mail',
    newPassword: NEW,
    removePasskeys: false,
  });
  expect([sessionStorage.length, localStorage.getItem('draft of somebody')]).toEqual([0, 'A song']);
  await pressKey(page.getByRole('link', { name: 'Sign In' }), 'Enter');
  await expectUrl(/^\/$/);
});

test('resetting a password can also remove all passkeys', async () => {
  await renderPage('/reset-password?token=of-the-mail', visitor);
  await field('New password').fill(NEW);
  await field('Confirm new password').fill(NEW);
  await page.getByRole('checkbox', { name: /^Remove all passkeys/ }).click();
  rejectCalls(api.passwords.confirmReset, 400, {
    message: PASSKEYS_NOT_REMOVABLE_MESSAGE,
    issues: [{ path: 'removePasskeys', message: PASSKEYS_NOT_REMOVABLE_MESSAGE }],
    times: 1,
  });
  await press('Reset Password');
  await expectText(notice, PASSKEYS_NOT_REMOVABLE_MESSAGE);
  mockEndpoint(api.passwords.confirmReset, { message: 'Reset' });
  await press('Reset Password');
  await expect.element(page.getByRole('heading', { name: 'Password Reset Complete' })).toBeVisible();
  expect(getCalls(api.passwords.confirmReset).at(-1)?.body['removePasskeys']).toBe(true);
});

test('a reset link without a token shows an error and offers a new link', async () => {
  await renderPage('/reset-password', visitor);
  await expectText(notice, 'Invalid Reset Link');
  await expectText(toastItem, 'Invalid Token');
  await expectCount(field('New password'), 0);
  await expectAccessibleWithoutOverflow('an incomplete reset link');
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect.element(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
});

test('a used reset link shows an error and offers a new link', async () => {
  rejectCalls(api.passwords.confirmReset, 400, {
    message: 'This password reset link is invalid or has expired.',
    issues: [{ path: 'token', message: 'This password reset link is invalid or has expired.' }],
  });
  await renderPage('/reset-password?token=used', visitor);
  await field('New password').fill(NEW);
  await field('Confirm new password').fill(NEW);
  await press('Reset Password');
  await expectText(notice, 'Invalid Reset Link');
  await expectText(notice, 'This password reset link is invalid or has expired.');
  await notice.getByRole('link', { name: 'Request a new link' }).click();
  await expect.element(page.getByRole('heading', { name: 'Forgot Password' })).toBeVisible();
});

test('a password can be changed with only the keyboard', async () => {
  await renderPage('/');
  await pressKey(page.getByRole('link', { name: /change password/ }), 'Enter');
  await expect.element(page.getByRole('heading', { name: 'Change Password' })).toHaveFocus();
  await expect.element(page.getByText('A mix of letters, numbers and symbols recommended')).toBeVisible();
  const type = async (label: string, text: string) => {
    await expect.element(field(label)).toHaveFocus();
    // The first Tab moves to the button that shows the password.
    await userEvent.keyboard(`{Control>}a{/Control}{Delete}${text}{Tab}{Tab}`);
  };
  const fill = async (current: string, next: string, confirmation: string) => {
    await type('Current password', current);
    await type('New password', next);
    await type('Confirm new password', confirmation);
    await userEvent.keyboard('{Enter}');
  };
  const isSaid = (sentence: string) =>
    expect.element(page.getByRole('main').getByText(sentence)).toBeVisible();
  const refuseAt = (path: string, message: string) =>
    rejectCalls(api.passwords.change, 400, { message, issues: [{ path, message }], times: 1 });
  const goToFirst = () => (field('Current password').element() as HTMLElement).focus();

  await userEvent.keyboard('{Tab}');
  await fill(' ', '', '');
  await isSaid('New password must be at least 6 characters long.');
  goToFirst();
  refuseAt('currentPassword', 'Current password is incorrect');
  await fill('not it', NEW, NEW);
  await isSaid('Current password is incorrect');
  await expectText(toastItem, 'Failed to change passwordCurrent password is incorrect');
  await fill('as-it-was', 'as-it-was', 'as-it-was');
  await isSaid('New password must be different from your current password.');
  goToFirst();
  await fill('as-it-was', NEW, `${NEW}?`);
  await isSaid('New password and confirmation do not match.');
  goToFirst();
  mockEndpoint(api.passwords.change, { message: 'Changed' });
  await fill('as-it-was', NEW, NEW);
  await expect
    .element(page.getByRole('main').getByRole('status').filter({ hasText: 'Password changed' }))
    .toBeVisible();
  await expect.element(field('New password')).toHaveValue('');
});

test('password fields can show the password and support password managers', async () => {
  await renderPage('/change-password');
  for (const label of ['Current password', 'New password', 'Confirm new password']) {
    await field(label).fill('see me');
    await press(`Show ${label.toLowerCase()}`);
    await expect.element(field(label)).toHaveAttribute('type', 'text');
    await press(`Hide ${label.toLowerCase()}`);
    await expect.element(field(label)).toHaveAttribute('type', 'password');
  }
  const inputs = [...document.querySelector('form')!.querySelectorAll('input')];
  expect(inputs.map((input) => [input.autocomplete, input.hasAttribute('hidden')])).toEqual([
    ['username', true],
    ['current-password', false],
    ['new-password', false],
    ['new-password', false],
  ]);
  expect(inputs[0]?.value).toBe('tashi.dolma');
});

test('signing out everywhere else shows a confirmation', async () => {
  mockEndpoint(api.passwords.endOtherSessions, { message: 'Done' });
  await renderPage('/change-password');
  await press('Sign out everywhere else');
  await expect.element(page.getByRole('main').getByText('You are signed out everywhere else.')).toBeVisible();
});

const device = (name: string, given: object = {}) => ({
  ...{ id: crypto.randomUUID(), device: name, address: '192.0.2.7', isCurrent: false },
  ...{ createdAt: new Date(), seenAt: new Date(), ...given },
});
const devices = page.getByRole('region', { name: 'Your devices' });

test('signing out a listed device moves focus to a remaining device', async () => {
  const [here, lost] = [device('Firefox on Linux', { isCurrent: true }), device('Safari on an iPhone')];
  mockEndpoint(api.passwords.sessions, [here, lost]);
  await renderPage('/change-password');
  await expectTexts(devices.getByRole('listitem'), [
    /^Firefox on LinuxThis deviceLast used just now .*, network address 192\.0\.2\.7Sign out$/,
    /^Safari on an iPhoneLast used just now /,
  ]);
  await expectAccessibleWithoutOverflow('a list of devices');
  mockEndpoint(api.passwords.sessions, [here]);
  mockEndpoint(api.passwords.endSession, { message: 'Done' });
  await press('Sign out: Safari on an iPhone');
  await expectCount(devices.getByRole('listitem'), 1);
  expect(getCalls(api.passwords.endSession)[0]?.path).toBe(`/api/user/sessions/${lost.id}`);
  await expect.element(devices.getByRole('button', { name: 'Sign out on this device' })).toHaveFocus();
});

test('the Profile page lists sign-ins with a teacher’s code', async () => {
  const shown = { shownBy: 'Khandro Yeshe', device: 'Safari on an iPhone', at: new Date() };
  mockEndpoint(api.signIn.codeSignIns, [shown]);
  await renderPage('/change-password');
  await expect
    .element(devices.getByRole('listitem').filter({ hasText: 'with a code from Khandro Yeshe' }))
    .toBeVisible();
});

test('shows why devices are hidden in a session started by a teacher’s code', async () => {
  await renderPage('/change-password', { user: buildStudent({ codeShownBy: 'Khandro Yeshe' }) });
  await expect
    .element(devices.getByText(/^This isn’t available, because you signed in with a code/))
    .toBeVisible();
  expect(getCalls(api.passwords.sessions)).toEqual([]);
});

test('suggests choosing a password until the suggestion is dismissed', async () => {
  const user = buildStudent({ suggestOwnPassword: true });
  await renderPage('/melodies', { user });
  const suggestion = page.getByText(/Your password was created for you/);
  await expect.element(suggestion).toBeVisible();
  await page.getByRole('link', { name: 'Choose my own password' }).click();
  await expect.element(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  await expectCount(suggestion, 0);
  history.back();
  await expect.element(suggestion).toBeVisible();

  breakConnection(api.passwords.keepIssued, { times: 1 });
  await press('Keep this one');
  await expect.element(notice).toBeVisible();
  mockEndpoint(api.passwords.keepIssued, () => {
    mockEndpoint(api.signIn.whoAmI, { ...user, suggestOwnPassword: false });
    return { message: 'Kept' };
  });
  await press('Keep this one');
  await expectCount(suggestion, 0);
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the pages for a forgotten password are accessible in both themes at 320 px', async () => {
  await page.viewport(320, 640);
  for (const [path, button, label] of [
    ['/forgot-password', 'Send Reset Link', 'Email'],
    ['/reset-password?token=nothing', 'Reset Password', 'New password'],
  ] as const) {
    await renderPage(path, visitor);
    await press(button);
    await expect.element(field(label)).toHaveAttribute('aria-invalid', 'true');
    await expectAccessibleInBothThemes(path);
    expectNoHorizontalScroll(path);
  }
});
