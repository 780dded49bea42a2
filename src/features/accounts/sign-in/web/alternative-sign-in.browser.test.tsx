import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent } from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { mockEndpoint, breakConnection, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  userEvent,
} from '#testing/browser/screen.ts';
import { PASSKEY_REQUIRED_MESSAGE } from '#features/accounts/passkeys/limits.ts';
import { SIGN_IN_CODE_INVALID_MESSAGE, SIGN_IN_LINK_INVALID_MESSAGE } from '../limits.ts';
import { OTHER_SIGN_IN_METHODS_LABEL } from './methods.ts';

const visitor = { user: null };
afterEach(() => vi.restoreAllMocks());
const ways = page.getByRole('list', { name: 'Other ways to sign in' });
const showWays = () => page.getByRole('button', { name: OTHER_SIGN_IN_METHODS_LABEL }).click();
const way = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name });
const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
const pema = { firstName: 'Pema', lastName: 'Lhamo', username: 'pema' };

test('requests a sign-in link by keyboard, using the name that was already typed', async () => {
  mockEndpoint(api.signIn.requestLink, { message: 'Sent' });
  await renderPage('/', visitor);
  await field('Username').fill('tashi');
  await expectCount(ways, 0);
  await pressKeyOn(page.getByRole('button', { name: OTHER_SIGN_IN_METHODS_LABEL }), 'Enter');
  await pressKeyOn(way('Email me a link'), 'Enter');
  await expect.element(heading('Email me a link')).toHaveFocus();
  await expect.element(field('Username or email')).toHaveValue('tashi');
  await field('Username or email').fill(' ');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Username or email')).toHaveFocus();
  await expect
    .element(field('Username or email'))
    .toHaveAccessibleDescription('Please enter your username or email.');
  await expectAccessibleWithoutOverflow('asking for a link');
  await userEvent.keyboard('tashi@example.org{Enter}');
  await expect.element(heading('Check Your Email')).toHaveFocus();
  expect(getCalls(api.signIn.requestLink)[0]?.body).toEqual({ name: ' tashi@example.org' });
  await pressKeyOn(way('Sign in with a password'), 'Enter');
  await expect.element(way('Email me a link')).toHaveFocus();
  await expect.element(field('Username')).toHaveValue('tashi');
});

test('a failed request for a sign-in link shows the reason and keeps the typed name', async () => {
  breakConnection(api.signIn.requestLink, { times: 1 });
  await renderPage('/', visitor);
  await showWays();
  await way('Email me a link').click();
  await field('Username or email').fill('tashi');
  await userEvent.keyboard('{Enter}');
  await expectText(page.getByRole('alert'), 'No connection. Please check your internet and try again.');
  await expect.element(field('Username or email')).toHaveValue('tashi');
});

test('does not offer an emailed link if there is no mail server', async () => {
  await renderPage('/', { ...visitor, sendsMail: false });
  await showWays();
  await expectTexts(ways.getByRole('button'), ['Enter a sign-in code', 'Use a passkey']);
});

test('does not offer passkeys at an origin for which they are not registered', async () => {
  await renderPage('/', { ...visitor, passkeysWork: false });
  await showWays();
  await expectTexts(ways.getByRole('button'), ['Email me a link', 'Enter a sign-in code']);
});

/** Mocks a device on which the user confirms the passkey. */
function giveAuthenticator() {
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes };
  const credential = { id: 'AQID', rawId: bytes, type: 'public-key', response };
  vi.spyOn(navigator.credentials, 'get').mockResolvedValue({
    ...credential,
    getClientExtensionResults: () => ({}),
  } as unknown as Credential);
  const challenge = {
    challenge: 'AQID',
    rpId: 'localhost',
    timeout: 1,
    userVerification: 'required',
  } as const;
  mockEndpoint(api.passkeys.challenge, challenge);
}

test('requests a passkey after the password, without requesting the password again', async () => {
  giveAuthenticator();
  rejectCalls(api.signIn.signIn, 403, {
    ...{
      message: PASSKEY_REQUIRED_MESSAGE,
      issues: [{ path: 'passkey', message: PASSKEY_REQUIRED_MESSAGE }],
      times: 1,
    },
  });
  await renderPage('/submit', visitor);
  await field('Username').fill('khandro');
  await page.getByLabelText('Password', { exact: true }).fill('om-mani');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Confirm with your passkey')).toHaveFocus();
  mockEndpoint(api.signIn.signIn, buildStudent());
  await pressKeyOn(way('Use my passkey'), 'Enter');
  await expect.poll(() => navigationsAndDownloads).toEqual(['/submit']);
  expect(getCalls(api.signIn.signIn).map(({ body }) => body)).toEqual([
    { username: 'khandro', password: 'om-mani' },
    expect.objectContaining({
      username: 'khandro',
      password: 'om-mani',
      passkey: expect.anything() as unknown,
    }),
  ]);
});

test('requests a passkey after a code, and again if the user cancels', async () => {
  giveAuthenticator();
  vi.spyOn(navigator.credentials, 'get').mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  mockEndpoint(api.signIn.ownerOfToken, pema);
  rejectCalls(api.signIn.redeemToken, 403, {
    ...{
      message: PASSKEY_REQUIRED_MESSAGE,
      issues: [{ path: 'passkey', message: PASSKEY_REQUIRED_MESSAGE }],
      times: 1,
    },
  });
  await renderPage('/auth#code=7KQ01M9X', visitor);
  await way('Sign in as Pema Lhamo').click();
  await way('Use my passkey').click();
  await expectText(
    page.getByRole('alert'),
    'Sign-in was cancelled. Please try again, or sign in another way.',
  );
  mockEndpoint(api.signIn.redeemToken, buildStudent());
  await way('Use my passkey').click();
  await expect.poll(() => navigationsAndDownloads).toEqual(['/']);
  expect(getCalls(api.signIn.redeemToken).at(-1)?.body).toMatchObject({
    kind: 'code',
    passkey: { id: 'AQID' },
  });
});

test('checks that a code is complete and shows errors at its field', async () => {
  rejectCalls(api.signIn.ownerOfToken, 400, { message: SIGN_IN_CODE_INVALID_MESSAGE, times: 1 });
  await renderPage('/', visitor);
  await showWays();
  await pressKeyOn(way('Enter a sign-in code'), 'Enter');
  await expect.element(heading('Enter a sign-in code')).toHaveFocus();
  await field('Code').fill('7kq');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(field('Code'))
    .toHaveAccessibleDescription(/^Please enter all 8 letters and digits of the code\./);
  expect(getCalls(api.signIn.ownerOfToken)).toEqual([]);
  await field('Code').fill('7kqo-im9x');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Code')).toHaveFocus();
  await expect.element(field('Code')).toHaveAccessibleDescription(/^This code is wrong/);
  mockEndpoint(api.signIn.ownerOfToken, pema);
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Sign in as Pema Lhamo?')).toHaveFocus();
  expect(getCalls(api.signIn.ownerOfToken).at(-1)?.body).toEqual({ kind: 'code', token: '7KQ01M9X' });
});

test('a sign-in link shows whose account it opens and signs in only when confirmed', async () => {
  mockEndpoint(api.signIn.ownerOfToken, pema);
  await renderPage('/auth#link=of-the-mail', visitor);
  await expect.element(heading('Sign in as Pema Lhamo?')).toHaveFocus();
  await expect.element(page.getByText('This link signs you in as pema.')).toBeVisible();
  await expectAccessibleWithoutOverflow('whose account a link opens');
  // The token disappears from the URL, but is still available after a reload.
  await expectUrl(/^\/auth$/);
  expect(location.hash).toBe('');
  await reloadPage();
  await expect.element(heading('Sign in as Pema Lhamo?')).toBeVisible();
  expect(getCalls(api.signIn.redeemToken)).toEqual([]);

  rejectCalls(api.signIn.redeemToken, 400, { message: SIGN_IN_LINK_INVALID_MESSAGE });
  await way('Sign in as Pema Lhamo').click();
  await expectText(page.getByRole('alert'), SIGN_IN_LINK_INVALID_MESSAGE);
  expect(getCalls(api.signIn.redeemToken)[0]?.body).toEqual({ kind: 'link', token: 'of-the-mail' });
});

test('a sign-in link that no longer works shows an error and offers a new link', async () => {
  rejectCalls(api.signIn.ownerOfToken, 400, { message: SIGN_IN_LINK_INVALID_MESSAGE });
  await renderPage('/auth#link=of-an-old-mail', visitor);
  await expectText(page.getByRole('alert'), SIGN_IN_LINK_INVALID_MESSAGE);
  await expect.element(field('Username or email')).toBeVisible();
});

test('a scanned code shows whose account it opens, even if the page is already open', async () => {
  mockEndpoint(api.signIn.ownerOfToken, pema);
  await renderPage('/auth', visitor);
  await expect.element(way(OTHER_SIGN_IN_METHODS_LABEL)).toBeVisible();
  location.hash = '#code=7KQ01M9X';
  await expect.element(heading('Sign in as Pema Lhamo?')).toBeVisible();
  expect(getCalls(api.signIn.ownerOfToken)[0]?.body).toEqual({ kind: 'code', token: '7KQ01M9X' });
});
