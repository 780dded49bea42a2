import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { PROOF_NEEDED } from '#shared/fresh-proof.ts';
import { aStudent, aTeacher, listed } from '#testing/browser/community.ts';
import { answer, callsOf, refuse } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, press, userEvent } from '#testing/browser/screen.ts';

const phone = { id: 3, name: 'My phone', createdAt: new Date('2026-11-01'), usedAt: null };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
const password = dialog.getByLabelText('Your password', { exact: true });
const NEEDED = { message: PROOF_NEEDED, issues: [{ path: 'proof', message: PROOF_NEEDED }] };

/** Presses the buttons to remove the passkey, which needs a proof. */
async function removePhone() {
  await press(button('Remove My phone'), 'Enter');
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }), 'Enter');
}

test('confirming the password by keyboard repeats the refused request', async () => {
  answer(api.passkeys.list, [phone]);
  answer(api.passkeys.remove, { message: 'Removed' });
  refuse(api.passkeys.remove, 403, { ...NEEDED, times: 1 });
  await renderPage('/change-password');
  await removePhone();
  await expect.element(password).toHaveFocus();
  refuse(api.account.prove, 400, { message: 'This password is wrong.', times: 1 });
  await userEvent.keyboard('wrong{Enter}');
  await expectText(dialog, 'This password is wrong.');
  answer(api.passkeys.list, []);
  answer(api.account.prove, { message: 'Thank you' });
  await userEvent.keyboard('a-lotus{Enter}');
  await expectCount(dialog, 0);
  await expectCount(button('Remove My phone'), 0);
  expect(callsOf(api.account.prove).map(({ body }) => body)).toEqual([
    { password: 'wrong' },
    { password: 'a-lotus' },
  ]);
  expect(callsOf(api.passkeys.remove)).toHaveLength(2);
});

test('cancelling the dialog leaves the action undone and shows that it needs a proof', async () => {
  answer(api.passkeys.list, [phone]);
  refuse(api.passkeys.remove, 403, NEEDED);
  await renderPage('/change-password');
  await removePhone();
  await expect.element(password).toHaveFocus();
  await press(dialog.getByRole('button', { name: 'Cancel' }), 'Enter');
  await expectCount(dialog, 0);
  await expectText(page.getByRole('alert'), PROOF_NEEDED);
  await expect.element(button('Remove My phone')).toHaveFocus();
});

test('a teacher with a second factor has to use the passkey', async () => {
  answer(api.passkeys.list, [phone]);
  refuse(api.passkeys.remove, 403, NEEDED);
  await renderPage('/change-password', { user: aTeacher({ asksForPasskey: true }) });
  await removePhone();
  await expect.element(dialog.getByRole('button', { name: 'Use my passkey' })).toHaveFocus();
  await expectCount(password, 0);
  await press(dialog.getByRole('button', { name: 'Cancel' }), 'Enter');
  await expectCount(dialog, 0);
});

test('a student’s new email stays in the form while the password is asked for', async () => {
  const student = aStudent({ firstName: 'Pema', lastName: 'Lhamo' });
  answer(api.users.list, [listed(student)]);
  answer(api.users.one, listed(student));
  answer(api.users.accessList, []);
  answer(api.account.changeStudent, student);
  refuse(api.account.changeStudent, 403, { ...NEEDED, times: 1 });
  answer(api.passkeys.list, []);
  answer(api.account.prove, { message: 'Thank you' });
  await renderPage(`/admin/users?user=${student.id}`, { user: aTeacher() });
  await press(button('Change name or email'), 'Enter');
  const email = page.getByRole('dialog').getByLabelText('Email');
  await email.fill('new@example.org');
  await press(email, 'Enter');
  await expect.element(password).toHaveFocus();
  await userEvent.keyboard('a-lotus{Enter}');
  await expectCount(page.getByRole('dialog'), 0);
  expect(callsOf(api.account.changeStudent).at(-1)?.body['email']).toBe('new@example.org');
});
