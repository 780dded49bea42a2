import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { aStudent, aTeacher, listed } from '#testing/browser/community.ts';
import { answer, callsOf, refuse } from '#testing/browser/fake-api.ts';
import { openListening, tellOfChanges } from '#testing/browser/fake-news.ts';
import { expectFineEverywhere } from '#testing/browser/look.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, press, userEvent } from '#testing/browser/screen.ts';

const account = page.getByRole('button', { name: /account/ });
const dialog = page.getByRole('dialog');
const code = { id: 7, code: '7KQ01M9X', validSeconds: 600 };

async function openFromMenu() {
  await press(account, 'Enter');
  await press(page.getByRole('menuitem', { name: 'Sign in on another device' }), 'Enter');
}

test('a signed-in device shows a code and notices when it has been used', async () => {
  answer(api.signIn.makeOwnCode, code);
  answer(api.signIn.codeState, { state: 'open' });
  answer(api.signIn.voidCode, { message: 'Void' });
  await openListening('/');
  await openFromMenu();
  await expect.element(dialog.getByText('7KQ0-1M9X')).toBeVisible();
  await expect.element(dialog.getByRole('img')).toBeVisible();
  await expectFineEverywhere('the dialog with a code');
  answer(api.signIn.codeState, { state: 'used' });
  tellOfChanges('/api/user/sign-in-codes');
  await expectText(dialog.getByRole('status'), 'Signed in on the other device.');
  await expectCount(dialog.getByText('7KQ0-1M9X'), 0);
  await userEvent.keyboard('{Escape}');
  await expectCount(dialog, 0);
  await expect.element(account).toHaveFocus();
});

test('closing the dialog voids the code', async () => {
  answer(api.signIn.makeOwnCode, code);
  answer(api.signIn.codeState, { state: 'open' });
  answer(api.signIn.voidCode, { message: 'Void' });
  await renderPage('/');
  await openFromMenu();
  await expect.element(dialog.getByText('7KQ0-1M9X')).toBeVisible();
  expect(callsOf(api.signIn.voidCode)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect
    .poll(() => callsOf(api.signIn.voidCode).map(({ path }) => path))
    .toEqual(['/api/user/sign-in-codes/7']);
});

test('an expired code can be replaced, and a failure to create one is shown', async () => {
  refuse(api.signIn.makeOwnCode, 429, {
    message: 'Too many requests. Please try again in an hour.',
    times: 1,
  });
  answer(api.signIn.voidCode, { message: 'Void' });
  await renderPage('/');
  await openFromMenu();
  await expectText(dialog.getByRole('alert'), 'Too many requests. Please try again in an hour.');
  answer(api.signIn.makeOwnCode, { ...code, validSeconds: 0 });
  answer(api.signIn.codeState, { state: 'ended' });
  const again = dialog.getByRole('button', { name: 'Create a new code' });
  await again.click();
  await expectText(dialog.getByRole('status'), 'This code no longer works.');
  answer(api.signIn.makeOwnCode, { ...code, id: 8, code: 'ABCDEFGH' });
  answer(api.signIn.codeState, { state: 'open' });
  await again.click();
  await expect.element(dialog.getByText('ABCD-EFGH')).toBeVisible();
});

test('a teacher shows a code for a student, with the student’s name', async () => {
  const student = listed(aStudent({ firstName: 'Pema', lastName: 'Lhamo' }));
  answer(api.users.list, [student]);
  answer(api.users.one, student);
  answer(api.users.accessList, []);
  answer(api.levels.all, []);
  answer(api.signIn.makeCodeFor, code);
  answer(api.signIn.codeState, { state: 'open' });
  answer(api.signIn.voidCode, { message: 'Void' });
  await renderPage(`/admin/users?user=${student.id}`, { user: aTeacher() });
  await page.getByText('Sign-in help and downloads').click();
  await page.getByRole('button', { name: 'Show a sign-in code' }).click();
  await expect.element(dialog.getByRole('heading', { name: 'Sign-in code for Pema Lhamo' })).toBeVisible();
  await expect.element(dialog.getByText('7KQ0-1M9X')).toBeVisible();
  expect(callsOf(api.signIn.makeCodeFor)[0]?.path).toBe(`/api/admin/users/${student.id}/sign-in-codes`);
  expect(callsOf(api.signIn.makeOwnCode)).toEqual([]);

  // For a student who is not in the room.
  await press(dialog.getByRole('button', { name: 'Copy the link' }), 'Enter');
  await expect.element(dialog.getByRole('button', { name: 'Copied' })).toHaveFocus();
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/auth#code=7KQ01M9X`);
});
