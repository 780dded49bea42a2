import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent, buildTeacher, toListedUser } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, toastItem } from '#testing/browser/screen.ts';

const user = buildTeacher();

test('a teacher edits her details by keyboard and sees errors at their fields', async () => {
  await renderPage('/change-password', { user });
  const own = page.getByRole('region', { name: 'Your details' });
  const save = own.getByRole('button', { name: 'Save' });
  await pressKeyOn(save, 'Enter');
  await expect.element(own.getByLabelText('First name')).toHaveFocus();
  await own.getByLabelText('First name').fill('Khandro');
  await pressKeyOn(save, 'Enter');
  await expect.element(own.getByLabelText('Your password', { exact: true })).toHaveFocus();
  await own.getByLabelText('Your password', { exact: true }).fill('lotus');
  rejectCalls(api.account.changeOwn, 409, {
    message: 'Another account already has this username.',
    issues: [{ path: 'username', message: 'Another account already has this username.' }],
    times: 1,
  });
  await pressKeyOn(save, 'Enter');
  await expectText(toastItem, 'Failed to change your accountAnother account already has this username.');
  await expect.element(own.getByLabelText('Username')).toHaveFocus();
  const {
    suggestOwnPassword: _,
    wantsNewsMail: __,
    ...changed
  } = buildTeacher({ firstName: 'Khandro', username: 'pema' });
  mockEndpoint(api.account.changeOwn, changed);
  await own.getByLabelText('Username').fill(' pema ');
  await pressKeyOn(own.getByLabelText('Username'), 'Enter');
  await expectText(own.getByRole('status').filter({ hasText: 'Account' }), 'Account changed');
  expect(getCalls(api.account.changeOwn).at(-1)!.body).toEqual({
    ...{
      firstName: 'Khandro',
      lastName: null,
      email: user.email,
      username: 'pema',
      currentPassword: 'lotus',
    },
  });
  await expect.element(own.getByLabelText('Your password', { exact: true })).toHaveValue('');
});

test('a student does not see a form to change their details', async () => {
  await renderPage('/change-password', { user: buildStudent() });
  await expect.element(page.getByRole('button', { name: 'Change Password' })).toBeVisible();
  await expectCount(page.getByRole('region', { name: 'Your details' }), 0);
});

test('a teacher corrects a student’s name and email on the student’s page', async () => {
  const student = buildStudent({ firstName: 'Tahsi', lastName: 'Dolma' });
  const shown = toListedUser(student);
  mockEndpoint(api.users.list, [shown]);
  mockEndpoint(api.users.one, shown);
  mockEndpoint(api.users.accessList, []);
  await renderPage(`/admin/users?user=${student.id}`, { user });
  await pressKeyOn(page.getByRole('button', { name: 'Change name or email' }), 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Name and email of Tahsi Dolma' });
  await dialog.getByLabelText('First name').fill('Tashi');
  rejectCalls(api.account.changeStudent, 409, {
    message: 'A user with this email already exists.',
    issues: [{ path: 'email', message: 'A user with this email already exists.' }],
    times: 1,
  });
  await pressKeyOn(dialog.getByLabelText('First name'), 'Enter');
  await expect.element(dialog.getByLabelText('Email')).toHaveFocus();
  const { suggestOwnPassword: _, wantsNewsMail: __, ...changed } = { ...student, firstName: 'Tashi' };
  mockEndpoint(api.account.changeStudent, changed);
  await pressKeyOn(dialog.getByRole('button', { name: 'Save' }), 'Enter');
  await expect.element(page.getByRole('heading', { name: 'Tashi Dolma' })).toBeVisible();
  await expectCount(dialog, 0);
});
