import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent, buildTeacher, toListedUser } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { openPageWithStream, sendChanges } from '#testing/browser/fake-event-stream.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';

const account = page.getByRole('button', { name: /account/ });
const dialog = page.getByRole('dialog');
const code = { id: 7, code: '7KQ01M9X', validSeconds: 600 };

async function openFromMenu() {
  await pressKeyOn(account, 'Enter');
  await pressKeyOn(page.getByRole('menuitem', { name: 'Sign in on another device' }), 'Enter');
}

test('a signed-in device shows a sign-in code, and a message once the code is used', async () => {
  mockEndpoint(api.signIn.makeOwnCode, code);
  mockEndpoint(api.signIn.codeState, { state: 'open' });
  mockEndpoint(api.signIn.voidCode, { message: 'Void' });
  await openPageWithStream('/');
  await openFromMenu();
  await expect.element(dialog.getByText('7KQ0-1M9X')).toBeVisible();
  await expect.element(dialog.getByRole('img')).toBeVisible();
  await expectAccessibleWithoutOverflow('the dialog with a code');
  mockEndpoint(api.signIn.codeState, { state: 'used' });
  sendChanges('/api/user/sign-in-codes');
  await expectText(dialog.getByRole('status'), 'Signed in on the other device.');
  await expectCount(dialog.getByText('7KQ0-1M9X'), 0);
  await userEvent.keyboard('{Escape}');
  await expectCount(dialog, 0);
  await expect.element(account).toHaveFocus();
});

test('closing the dialog revokes the sign-in code', async () => {
  mockEndpoint(api.signIn.makeOwnCode, code);
  mockEndpoint(api.signIn.codeState, { state: 'open' });
  mockEndpoint(api.signIn.voidCode, { message: 'Void' });
  await renderPage('/');
  await openFromMenu();
  await expect.element(dialog.getByText('7KQ0-1M9X')).toBeVisible();
  expect(getCalls(api.signIn.voidCode)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect
    .poll(() => getCalls(api.signIn.voidCode).map(({ path }) => path))
    .toEqual(['/api/user/sign-in-codes/7']);
});

test('after an error or an expired code, a new sign-in code can be created', async () => {
  rejectCalls(api.signIn.makeOwnCode, 429, {
    message: 'Too many requests. Please try again in an hour.',
    times: 1,
  });
  mockEndpoint(api.signIn.voidCode, { message: 'Void' });
  await renderPage('/');
  await openFromMenu();
  await expectText(dialog.getByRole('alert'), 'Too many requests. Please try again in an hour.');
  mockEndpoint(api.signIn.makeOwnCode, { ...code, validSeconds: 0 });
  mockEndpoint(api.signIn.codeState, { state: 'ended' });
  const again = dialog.getByRole('button', { name: 'Create a new code' });
  await again.click();
  await expectText(dialog.getByRole('status'), 'This code no longer works.');
  mockEndpoint(api.signIn.makeOwnCode, { ...code, id: 8, code: 'ABCDEFGH' });
  mockEndpoint(api.signIn.codeState, { state: 'open' });
  await again.click();
  await expect.element(dialog.getByText('ABCD-EFGH')).toBeVisible();
});

test('a teacher can show a student’s sign-in code and copy it as a link', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Pema', lastName: 'Lhamo' }));
  mockEndpoint(api.users.list, [student]);
  mockEndpoint(api.users.one, student);
  mockEndpoint(api.users.accessList, []);
  mockEndpoint(api.levels.all, []);
  mockEndpoint(api.signIn.makeCodeFor, code);
  mockEndpoint(api.signIn.codeState, { state: 'open' });
  mockEndpoint(api.signIn.voidCode, { message: 'Void' });
  await renderPage(`/admin/users?user=${student.id}`, { user: buildTeacher() });
  await page.getByText('Sign-in help and downloads').click();
  await page.getByRole('button', { name: 'Show a sign-in code' }).click();
  await expect.element(dialog.getByRole('heading', { name: 'Sign-in code for Pema Lhamo' })).toBeVisible();
  await expect.element(dialog.getByText('7KQ0-1M9X')).toBeVisible();
  expect(getCalls(api.signIn.makeCodeFor)[0]?.path).toBe(`/api/admin/users/${student.id}/sign-in-codes`);
  expect(getCalls(api.signIn.makeOwnCode)).toEqual([]);

  // Copies the link, which the teacher can send to a student who is not in the room.
  await pressKeyOn(dialog.getByRole('button', { name: 'Copy the link' }), 'Enter');
  await expect.element(dialog.getByRole('button', { name: 'Copied' })).toHaveFocus();
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/auth#code=7KQ01M9X`);
});
