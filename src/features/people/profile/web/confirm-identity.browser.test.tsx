import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { IDENTITY_PROOF_NEEDED_MESSAGE } from '#shared/identity-proof.ts';
import { buildStudent, buildTeacher, toListedUser } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';

const phone = { id: 3, name: 'My phone', createdAt: new Date('2026-11-01'), usedAt: null };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
const password = dialog.getByLabelText('Your password', { exact: true });
const NEEDED = {
  message: IDENTITY_PROOF_NEEDED_MESSAGE,
  issues: [{ path: 'proof', message: IDENTITY_PROOF_NEEDED_MESSAGE }],
};

/** Presses the buttons that remove the passkey, an action that requires a proof of identity. */
async function removePhone() {
  await pressKeyOn(button('Remove My phone'), 'Enter');
  await pressKeyOn(page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }), 'Enter');
}

test('entering the password retries the request that was rejected for lack of proof', async () => {
  mockEndpoint(api.passkeys.list, [phone]);
  mockEndpoint(api.passkeys.remove, { message: 'Removed' });
  rejectCalls(api.passkeys.remove, 403, { ...NEEDED, times: 1 });
  await renderPage('/change-password');
  await removePhone();
  await expect.element(password).toHaveFocus();
  rejectCalls(api.account.prove, 400, { message: 'This password is wrong.', times: 1 });
  await userEvent.keyboard('wrong{Enter}');
  await expectText(dialog, 'This password is wrong.');
  mockEndpoint(api.passkeys.list, []);
  mockEndpoint(api.account.prove, { message: 'Thank you' });
  await userEvent.keyboard('a-lotus{Enter}');
  await expectCount(dialog, 0);
  await expectCount(button('Remove My phone'), 0);
  expect(getCalls(api.account.prove).map(({ body }) => body)).toEqual([
    { password: 'wrong' },
    { password: 'a-lotus' },
  ]);
  expect(getCalls(api.passkeys.remove)).toHaveLength(2);
});

test('cancelling the identity check cancels the action and says that a proof is needed', async () => {
  mockEndpoint(api.passkeys.list, [phone]);
  rejectCalls(api.passkeys.remove, 403, NEEDED);
  await renderPage('/change-password');
  await removePhone();
  await expect.element(password).toHaveFocus();
  await pressKeyOn(dialog.getByRole('button', { name: 'Cancel' }), 'Enter');
  await expectCount(dialog, 0);
  await expectText(page.getByRole('alert'), IDENTITY_PROOF_NEEDED_MESSAGE);
  await expect.element(button('Remove My phone')).toHaveFocus();
});

test('a teacher with a second factor can confirm her identity only with the passkey', async () => {
  mockEndpoint(api.passkeys.list, [phone]);
  rejectCalls(api.passkeys.remove, 403, NEEDED);
  await renderPage('/change-password', { user: buildTeacher({ asksForPasskey: true }) });
  await removePhone();
  await expect.element(dialog.getByRole('button', { name: 'Use my passkey' })).toHaveFocus();
  await expectCount(password, 0);
  await pressKeyOn(dialog.getByRole('button', { name: 'Cancel' }), 'Enter');
  await expectCount(dialog, 0);
});

test('changes a student’s email address after the teacher enters her password', async () => {
  const student = buildStudent({ firstName: 'Pema', lastName: 'Lhamo' });
  mockEndpoint(api.users.list, [toListedUser(student)]);
  mockEndpoint(api.users.one, toListedUser(student));
  mockEndpoint(api.users.accessList, []);
  mockEndpoint(api.account.changeStudent, student);
  rejectCalls(api.account.changeStudent, 403, { ...NEEDED, times: 1 });
  mockEndpoint(api.passkeys.list, []);
  mockEndpoint(api.account.prove, { message: 'Thank you' });
  await renderPage(`/admin/users?user=${student.id}`, { user: buildTeacher() });
  await pressKeyOn(button('Change name or email'), 'Enter');
  const email = page.getByRole('dialog').getByLabelText('Email');
  await email.fill('new@example.org');
  await pressKeyOn(email, 'Enter');
  await expect.element(password).toHaveFocus();
  await userEvent.keyboard('a-lotus{Enter}');
  await expectCount(page.getByRole('dialog'), 0);
  expect(getCalls(api.account.changeStudent).at(-1)?.body['email']).toBe('new@example.org');
});
