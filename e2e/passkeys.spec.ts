import type { Page } from '@playwright/test';
import { expect, test, TEACHER_CREDENTIALS } from './fixtures.ts';
import { findToast } from './toast.ts';

// Passkeys need a domain name. They don't work at an IP address.
const named = (url: string) => url.replace('127.0.0.1', 'localhost');

/** Stops pages from offering passkeys in the username field, from the next page load on. */
const disablePasskeyAutofill = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

/**
 * Adds a virtual fingerprint reader that is touched automatically at every request. So a page that offers
 * passkeys in the username field signs the user in without a click.
 */
async function giveAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Sets whether the reader recognizes the finger from now on. */
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function signIn(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

async function addPasskey(page: Page, name: string) {
  await page.getByRole('textbox', { name: 'Name of the new passkey' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(findToast(page)).toContainText('Passkey added');
  await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible();
}

const account = (page: Page) => page.getByRole('button', { name: /account/ });

const otherWays = (page: Page) => page.getByRole('button', { name: 'Other ways to sign in' });

async function signOut(page: Page) {
  await account(page).press('Enter');
  await page.getByRole('menuitem', { name: 'Logout' }).press('Enter');
  await expect(otherWays(page)).toBeVisible();
}

test('a student adds the suggested passkey, signs in with it, and removes it', async ({ visitor, world }) => {
  const student = await world.student();
  const page = await visitor({ baseURL: named(world.url) });
  const device = await giveAuthenticator(page);
  await page.goto('/');
  await signIn(page, student);
  // Dismisses the suggestion to replace the generated password, because only one suggestion is shown at a time.
  await page.getByRole('button', { name: 'Keep this one' }).press('Enter');
  await page.getByRole('link', { name: 'Add a passkey' }).press('Enter');
  await addPasskey(page, 'My phone');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add a passkey' })).toHaveCount(0);

  await test.step('a passkey offered in the username field signs the student in without a click', async () => {
    await page.context().clearCookies();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  });

  await disablePasskeyAutofill(page);
  await page.reload();
  await signOut(page);
  await otherWays(page).press('Enter');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  const use = page.getByRole('button', { name: 'Use my passkey' });
  await device.verifies(false);
  await use.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Sign-in was cancelled.');
  await device.verifies(true);
  await use.press('Enter');
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();

  await page.goto('/change-password');
  await page.getByRole('button', { name: 'Remove My phone' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(findToast(page)).toContainText('Passkey removed');
  await signOut(page);
  await otherWays(page).press('Enter');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  // Uses a passkey that is still on the device, but no longer on the server.
  await use.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This passkey didn’t work.');
});

test('with a second factor, a password or code is followed by the passkey', async ({ visitor, world }) => {
  const page = await visitor({ baseURL: named(world.url) });
  await giveAuthenticator(page);
  await disablePasskeyAutofill(page);
  await page.goto('/change-password');
  await signIn(page, TEACHER_CREDENTIALS);
  await addPasskey(page, 'The key at my desk');
  const asked = page.getByRole('checkbox', { name: 'Ask for my passkey after the password' });
  await asked.press('Space');
  await expect(asked).toBeChecked();
  await account(page).press('Enter');
  await page.getByRole('menuitem', { name: 'Sign in on another device' }).press('Enter');
  const code = await page
    .getByRole('dialog')
    .getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    .textContent();

  // A stranger has the password and the code, but no passkey.
  const stranger = await visitor({ baseURL: named(world.url) });
  await giveAuthenticator(stranger);
  await disablePasskeyAutofill(stranger);
  await stranger.goto('/');
  await signIn(stranger, TEACHER_CREDENTIALS);
  await expect(stranger.getByRole('heading', { name: 'Confirm with your passkey' })).toBeFocused();
  await stranger.getByRole('button', { name: 'Use my passkey' }).press('Enter');
  await expect(stranger.getByRole('alert')).toContainText('Sign-in was cancelled.');
  await stranger.goto(`/auth#code=${code?.replace('-', '')}`);
  await stranger.getByRole('button', { name: /^Sign in as/ }).press('Enter');
  await expect(stranger.getByText('Your account also requires a passkey.')).toBeVisible();
  expect((await stranger.request.get('/api/user')).status()).toBe(401);

  await page.keyboard.press('Escape');
  await signOut(page);
  await signIn(page, TEACHER_CREDENTIALS);
  await page.getByRole('button', { name: 'Use my passkey' }).press('Enter');
  await expect(page).toHaveURL(/\/(change-password)?$/);
  await expect(account(page)).toBeVisible();
  await page.goto('/change-password');
  await asked.press('Space');
  await expect(asked).not.toBeChecked();
});
