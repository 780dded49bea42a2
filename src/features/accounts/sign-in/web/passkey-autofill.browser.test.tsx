import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent } from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { mockEndpoint, getCalls, holdResponses, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectText, page, toastItem, userEvent } from '#testing/browser/screen.ts';

// Mocks conditional mediation: records each request, and resolves it when the test calls `choose`.

const CHALLENGE = {
  ...{ challenge: 'AQID', rpId: 'localhost', timeout: 1, userVerification: 'required' as const },
};

type Offer = { request: CredentialRequestOptions; choose(): void };
let offers: Offer[] = [];

beforeEach(() => {
  offers = [];
  vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(true);
  vi.spyOn(navigator.credentials, 'get').mockImplementation(
    (request = {}) =>
      new Promise((resolve, reject) => {
        const bytes = new Uint8Array([1, 2, 3]).buffer;
        const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes };
        const credential = { id: 'AQID', rawId: bytes, type: 'public-key', response };
        const choose = () =>
          resolve({ ...credential, getClientExtensionResults: () => ({}) } as unknown as Credential);
        request.signal?.addEventListener('abort', () => reject(request.signal!.reason as Error));
        offers.push({ request, choose });
      }),
  );
  mockEndpoint(api.passkeys.challenge, CHALLENGE);
});

const name = page.getByRole('textbox', { name: 'Username' });
const offered = (count: number) => expect.poll(() => offers.length).toBe(count);

async function open(path = '/') {
  await renderPage(path, { user: null });
  await offered(1);
}

test('choosing a passkey from autofill signs in and opens the requested page', async () => {
  mockEndpoint(api.signIn.signInByPasskey, buildStudent());
  await open('/submit');
  expect(offers[0]!.request.mediation).toBe('conditional');
  expect(name.element().getAttribute('autocomplete')).toBe('username webauthn');
  offers[0]!.choose();
  await expect.poll(() => navigationsAndDownloads).toEqual(['/submit']);
  expect(getCalls(api.signIn.signInByPasskey)[0]?.body).toMatchObject({ passkey: { id: 'AQID' } });
});

test('a rejected passkey shows an error and can be chosen again', async () => {
  rejectCalls(api.signIn.signInByPasskey, 400, { message: 'This passkey didn’t work.' });
  await open();
  offers[0]!.choose();
  await expectText(toastItem, 'Login failed');
  await expectText(toastItem, 'This passkey didn’t work.');
  await name.click();
  await offered(2);
  expect(navigationsAndDownloads).toEqual([]);
});

test('stops offering passkeys after the user submits, chooses another method or leaves', async () => {
  rejectCalls(api.signIn.signIn, 401, { message: 'Invalid username or password' });
  await open();
  await name.fill('tashi');
  await page.getByLabelText('Password', { exact: true }).fill('om-mani');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => offers[0]!.request.signal?.aborted).toBe(true);
  await expectText(toastItem, 'Invalid username or password');
  // Focusing the name field offers the passkey again.
  await name.click();
  await offered(2);

  await page.getByRole('button', { name: 'Other ways to sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Use my passkey' }).click();
  await offered(3);
  expect(offers.map(({ request }) => request.signal?.aborted)).toEqual([true, true, false]);
  expect(offers[2]!.request.mediation).toBeUndefined();
  await page.getByRole('button', { name: 'Sign in with a password' }).click();

  await name.click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect.element(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();
  await expect.poll(() => offers.at(-1)!.request.signal?.aborted).toBe(true);
});

test('a late challenge for autofill does not replace a newer passkey request', async () => {
  const release = holdResponses(api.passkeys.challenge, () => getCalls(api.passkeys.challenge).length === 1);
  await renderPage('/', { user: null });
  await expect.poll(() => getCalls(api.passkeys.challenge).length).toBe(1);
  await page.getByRole('button', { name: 'Other ways to sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Use my passkey' }).click();
  await offered(1);
  release();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(offers.map(({ request }) => [request.mediation, request.signal?.aborted])).toEqual([
    [undefined, false],
  ]);
});

test('does not show an error if the passkey challenge can’t be fetched', async () => {
  rejectCalls(api.passkeys.challenge, 429, { message: 'Too many requests.', times: 1 });
  await renderPage('/', { user: null });
  await expect.poll(() => getCalls(api.passkeys.challenge).length).toBe(1);
  expect(toastItem.elements()).toEqual([]);
  expect(page.getByRole('alert').elements()).toEqual([]);
  expect(offers).toEqual([]);
});

test('renews the passkey offer after four minutes, before its challenge expires', async () => {
  await open();
  await name.click();
  await page.getByLabelText('Password', { exact: true }).click();
  expect(offers).toHaveLength(1);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now + 4 * 60_000);
  await name.click();
  await offered(2);
  expect(offers[0]!.request.signal?.aborted).toBe(true);
});

test('does not request a passkey if the browser does not support passkey autofill', async () => {
  const asked = vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false);
  await renderPage('/', { user: null });
  await expect.poll(() => asked.mock.calls.length).toBe(1);
  // Waits until the module has loaded and would have made a request.
  await import('./passkey-autofill.ts');
  await new Promise((resolve) => setTimeout(resolve));
  expect(getCalls(api.passkeys.challenge)).toEqual([]);
});
