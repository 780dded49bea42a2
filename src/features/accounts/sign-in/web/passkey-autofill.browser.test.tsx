import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { aStudent } from '#testing/browser/community.ts';
import { departures } from '#testing/browser/departures.ts';
import { answer, callsOf, hold, refuse } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectText, page, toast, userEvent } from '#testing/browser/screen.ts';

// The browser offers passkeys with what it fills in: for a test, it is asked and answers when it is told to.

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
  answer(api.passkeys.challenge, CHALLENGE);
});

const name = page.getByRole('textbox', { name: 'Username' });
const offered = (count: number) => expect.poll(() => offers.length).toBe(count);

async function open(path = '/') {
  await renderPage(path, { user: null });
  await offered(1);
}

test('a passkey is offered where the name is typed, and signs in to where one was going', async () => {
  answer(api.signIn.signInByPasskey, aStudent());
  await open('/submit');
  expect(offers[0]!.request.mediation).toBe('conditional');
  expect(name.element().getAttribute('autocomplete')).toBe('username webauthn');
  offers[0]!.choose();
  await expect.poll(() => departures).toEqual(['/submit']);
  expect(callsOf(api.signIn.signInByPasskey)[0]?.body).toMatchObject({ passkey: { id: 'AQID' } });
});

test('one that does not work is said not to, and can be chosen again', async () => {
  refuse(api.signIn.signInByPasskey, 400, { message: 'This passkey did not work.' });
  await open();
  offers[0]!.choose();
  await expectText(toast, 'Login failed');
  await expectText(toast, 'This passkey did not work.');
  await name.click();
  await offered(2);
  expect(departures).toEqual([]);
});

test('it is no longer offered once the form is sent, another way is taken or the page is left', async () => {
  refuse(api.signIn.signIn, 401, { message: 'Invalid username or password' });
  await open();
  await name.fill('tashi');
  await page.getByLabelText('Password', { exact: true }).fill('om-mani');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => offers[0]!.request.signal?.aborted).toBe(true);
  await expectText(toast, 'Invalid username or password');
  // Back at the name, it is offered anew.
  await name.click();
  await offered(2);

  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Use My Passkey' }).click();
  await offered(3);
  expect(offers.map(({ request }) => request.signal?.aborted)).toEqual([true, true, false]);
  expect(offers[2]!.request.mediation).toBeUndefined();
  await page.getByRole('button', { name: 'Sign in with a password' }).click();

  await name.click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect.element(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();
  await expect.poll(() => offers.at(-1)!.request.signal?.aborted).toBe(true);
});

test('what is offered late takes the place of nothing that was asked for since', async () => {
  const letGo = hold(api.passkeys.challenge, () => callsOf(api.passkeys.challenge).length === 1);
  await renderPage('/', { user: null });
  await expect.poll(() => callsOf(api.passkeys.challenge).length).toBe(1);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Use My Passkey' }).click();
  await offered(1);
  letGo();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(offers.map(({ request }) => [request.mediation, request.signal?.aborted])).toEqual([
    [undefined, false],
  ]);
});

test('a challenge that cannot be had is nobody’s business, and is asked for again when the name is typed', async () => {
  refuse(api.passkeys.challenge, 429, { message: 'Too many requests.', times: 1 });
  await renderPage('/', { user: null });
  await expect.poll(() => callsOf(api.passkeys.challenge).length).toBe(1);
  expect(toast.elements()).toEqual([]);
  expect(page.getByRole('alert').elements()).toEqual([]);
  expect(offers).toEqual([]);
});

test('after four minutes, before its challenge is too old, it is offered anew to who comes to the name', async () => {
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

test('where the browser does not fill passkeys in, none is asked for', async () => {
  const asked = vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false);
  await renderPage('/', { user: null });
  await expect.poll(() => asked.mock.calls.length).toBe(1);
  // What would come of it has had the time to come.
  await import('./passkey-autofill.ts');
  await new Promise((resolve) => setTimeout(resolve));
  expect(callsOf(api.passkeys.challenge)).toEqual([]);
});
