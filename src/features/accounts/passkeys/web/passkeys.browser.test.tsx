import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent, buildTeacher, toListedUser } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';
import { LAST_PASSKEY_REQUIRED_MESSAGE } from '../limits.ts';

const phone = { id: 3, name: 'My phone', createdAt: new Date('2026-11-01'), usedAt: null };
const section = page.getByRole('region', { name: 'Passkeys' });
const row = section.getByRole('listitem');
const newName = page.getByRole('textbox', { name: 'Name', exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const suggestion = page.getByRole('link', { name: 'Add a passkey' });

test('passkeys can be renamed, and removed after confirmation, with only the keyboard', async () => {
  mockEndpoint(api.passkeys.list, [phone]);
  await renderPage('/change-password');
  await expect.element(row.getByText('My phone')).toBeVisible();
  await expectAccessibleWithoutOverflow('a list of passkeys');
  await pressKeyOn(button('Rename My phone'), 'Enter');
  await expect.element(newName).toHaveFocus();
  await newName.fill('Old phone');
  mockEndpoint(api.passkeys.rename, { ...phone, name: 'Old phone' });
  mockEndpoint(api.passkeys.list, [{ ...phone, name: 'Old phone' }]);
  await userEvent.keyboard('{Enter}');
  await expect.element(row.getByText('Old phone')).toBeVisible();
  expect(getCalls(api.passkeys.rename)[0]?.body).toEqual({ name: 'Old phone' });

  rejectCalls(api.passkeys.remove, 409, { message: LAST_PASSKEY_REQUIRED_MESSAGE, times: 1 });
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Remove' });
  await pressKeyOn(button('Remove Old phone'), 'Enter');
  await pressKeyOn(confirm, 'Enter');
  await expectText(section.getByRole('alert'), LAST_PASSKEY_REQUIRED_MESSAGE);
  mockEndpoint(api.passkeys.remove, { message: 'Removed' });
  mockEndpoint(api.passkeys.list, []);
  await pressKeyOn(button('Remove Old phone'), 'Enter');
  await pressKeyOn(confirm, 'Enter');
  await expectCount(row, 0);
  await expect.element(page.getByRole('heading', { name: 'Passkeys' })).toHaveFocus();
});

test('requires a name for a new passkey', async () => {
  mockEndpoint(api.passkeys.list, []);
  await renderPage('/change-password');
  await button('Add a passkey').click();
  await expect.element(page.getByRole('textbox', { name: 'Name of the new passkey' })).toHaveFocus();
  await expect
    .element(page.getByRole('textbox', { name: 'Name of the new passkey' }))
    .toHaveAccessibleDescription(/^Please give the passkey a name\./);
  expect(getCalls(api.passkeys.beginAdding)).toEqual([]);
});

test('does not offer to add a passkey if passkeys are not supported', async () => {
  mockEndpoint(api.passkeys.list, [phone]);
  await renderPage('/change-password', { passkeysWork: false });
  await expect
    .element(section.getByText('You can’t use passkeys in this browser or at this web address.'))
    .toBeVisible();
  await expectCount(button('Add a passkey'), 0);
  await expect.element(button('Remove My phone')).toBeVisible();
});

test('suggests a passkey once the password suggestion is gone, until dismissed', async () => {
  await renderPage('/', { user: buildStudent({ suggestPasskey: true, suggestOwnPassword: true }) });
  await expect.element(page.getByText('Keep this one')).toBeVisible();
  await expectCount(suggestion, 0);
  await renderPage('/', { user: buildStudent({ suggestPasskey: true }), passkeysWork: false });
  await expect.element(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await expectCount(suggestion, 0);
  await renderPage('/', { user: buildStudent({ suggestPasskey: true }) });
  await expect.element(suggestion).toBeVisible();
  await expectAccessibleWithoutOverflow('a passkey is suggested');
  mockEndpoint(api.passkeys.dismissSuggestion, { message: 'Dismissed' });
  await pressKeyOn(button('Don’t suggest this again'), 'Enter');
  await expectCount(suggestion, 0);
  await expect.poll(() => document.activeElement?.id).toBe('content');
});

test('following the passkey suggestion shows the form with its field focused', async () => {
  mockEndpoint(api.passkeys.list, [phone]);
  await page.viewport(390, 844);
  await renderPage('/', { user: buildStudent({ suggestPasskey: true }) });
  await suggestion.click();
  const field = page.getByRole('textbox', { name: 'Name of the new passkey' });
  await expect.element(field).toHaveFocus();
  await expect.poll(() => field.element().getBoundingClientRect().top).toBeGreaterThan(0);
  expect(field.element().getBoundingClientRect().bottom).toBeLessThan(innerHeight);
});

test('hides “Remove passkeys” for a student without passkeys', async () => {
  const student = toListedUser(buildStudent());
  mockEndpoint(api.users.list, [student]);
  mockEndpoint(api.users.one, student);
  mockEndpoint(api.users.accessList, []);
  mockEndpoint(api.levels.all, []);
  await renderPage(`/admin/users?user=${student.id}`, { user: buildTeacher() });
  await page.getByText('Sign-in help and downloads').click();
  await expect.element(button('Show a sign-in code')).toBeVisible();
  await expectCount(button('Remove passkeys'), 0);
});

test('a teacher removes a student’s passkeys after a confirmation', async () => {
  const student = toListedUser(buildStudent({ firstName: 'Pema', lastName: 'Lhamo' }), { hasPasskeys: true });
  mockEndpoint(api.users.list, [student]);
  mockEndpoint(api.users.one, student);
  mockEndpoint(api.users.accessList, []);
  mockEndpoint(api.levels.all, []);
  mockEndpoint(api.passkeys.removeAllOf, { message: 'Removed' });
  await renderPage(`/admin/users?user=${student.id}`, { user: buildTeacher() });
  await page.getByText('Sign-in help and downloads').click();
  await button('Remove passkeys').click();
  const asked = page.getByRole('alertdialog', { name: 'Remove all of Pema Lhamo’s passkeys?' });
  await pressKeyOn(asked.getByRole('button', { name: 'Remove' }), 'Enter');
  await expectCount(asked, 0);
  expect(getCalls(api.passkeys.removeAllOf)[0]?.path).toBe(`/api/admin/users/${student.id}/passkeys`);
});
