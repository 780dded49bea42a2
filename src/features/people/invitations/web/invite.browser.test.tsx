import { describe, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent, buildTeacher, mockMailOverview } from '#testing/browser/community.ts';
import { mockEndpoint, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessible } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, toastItem } from '#testing/browser/screen.ts';

const user = buildTeacher();
const invite = (number: number) => page.getByRole('group', { name: `Invite ${number}` });
const fill = async (number: number, [email, first, last]: [email: string, first: string, last: string]) => {
  await invite(number).getByLabelText('Email').fill(email);
  await invite(number).getByLabelText('First name').fill(first);
  await invite(number).getByLabelText('Last name').fill(last);
};

test('sends complete invites, and keeps failed and unfinished invites in the form', async () => {
  mockEndpoint(api.invitations.invite, ({ body }) => {
    const [known, invited] = (body as { invites: { email: string }[] }).invites;
    expect([known?.email, invited?.email]).toEqual(['known@example.org', 'invited@example.org']);
    const mail = {
      id: 1,
      kind: 'credentials' as const,
      recipient: 'invited@example.org',
      name: 'Invited Person',
      subject: 'Welcome',
      createdAt: new Date(),
      isHidden: false,
    };
    mockMailOverview({ hasServer: false, outbox: [mail] });
    return {
      successCount: 1,
      failureCount: 1,
      results: [
        { email: 'known@example.org', ok: false, message: 'A user with this email already exists.' },
        { email: 'invited@example.org', ok: true },
      ],
    };
  });
  mockMailOverview({ hasServer: false });
  await renderPage('/admin/invite', { user, sendsMail: false });
  await page.getByRole('button', { name: 'Send 0 Invites' }).click();
  await expect
    .element(
      page
        .getByText('Please fill in all fields for at least one invite and select transmission levels.')
        .first(),
    )
    .toBeVisible();
  await expect.element(invite(1).getByLabelText('Email')).toHaveFocus();
  await expectCount(page.getByRole('button', { name: /Remove invite/ }), 0);
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  await fill(1, ['known@example.org', 'Known', 'Already']);
  await fill(2, ['invited@example.org', 'Invited', 'Person']);
  await fill(3, ['', 'Unfinished', '']);
  await reloadPage();
  await expect.element(invite(3).getByLabelText('First name')).toHaveValue('Unfinished');

  await page.getByRole('button', { name: 'Send 2 Invites' }).click();
  await expect.element(page.getByText('1 invite sent, 1 failed').first()).toBeVisible();
  const sent = page
    .getByRole('listitem')
    .filter({ hasText: 'invited@example.org' })
    .filter({ hasText: 'To pass on' });
  await expectText(sent, 'Invited Person');
  await expect.element(invite(1).getByLabelText('Email')).toHaveValue('known@example.org');
  await expectText(invite(1).getByRole('alert'), 'A user with this email already exists.');
  await expect.element(invite(2).getByLabelText('First name')).toHaveValue('Unfinished');
  await expectCount(invite(3), 0);

  await pressKeyOn(page.getByRole('button', { name: 'Remove invite 1' }), 'Enter');
  await expect.element(page.getByRole('heading', { name: 'Invite 1' })).toHaveFocus();
  await expect.element(page.getByRole('button', { name: 'Send 0 Invites' })).toBeVisible();
});

test('a name that is too long shows an error and is not truncated', async () => {
  await renderPage('/admin/invite', { user });
  const first = invite(1).getByLabelText('First name');
  await first.fill('x'.repeat(101));
  await expect.element(first).toHaveValue('x'.repeat(101));
  await expect.element(invite(1).getByText('1 character too long. The limit is 100.')).toBeVisible();
});

test('if sending invites fails, the form keeps them and shows the reason', async () => {
  rejectCalls(api.invitations.invite, 503, { message: 'The disk is nearly full.' });
  await renderPage('/admin/invite', { user });
  await fill(1, ['nobody@example.org', 'No', 'Body']);
  await page.getByRole('button', { name: 'Send 1 Invite' }).click();
  const failed = page.getByRole('main').getByRole('alert');
  await expectText(
    failed,
    /^Failed to send invites ?The disk is nearly full\. What you typed is still here\./,
  );
  await expect.element(invite(1).getByLabelText('Email')).toHaveValue('nobody@example.org');
});

describe('creating a user with a password', () => {
  const form = page.getByRole('region', { name: 'Create User with Credentials' });
  const email = form.getByLabelText('Email');
  const last = form.getByLabelText('Last name');
  const create = form.getByRole('button', { name: 'Create User' });

  test('a new user’s password can be shown, copied and cleared by keyboard alone', async () => {
    const { suggestOwnPassword: _, wantsNewsMail: __, ...created } = buildStudent();
    mockEndpoint(api.users.create, { user: created, password: 'lotus-and-lion' });
    await renderPage('/admin/invite', { user });
    await pressKeyOn(create, 'Enter');
    await expect
      .element(form.getByText('Please fill in all fields and select at least one transmission level.'))
      .toBeVisible();
    await email.fill('created@example.org');
    await form.getByLabelText('First name').fill('Created');
    await last.fill('Person');
    rejectCalls(api.users.create, 503, { message: 'The disk is nearly full.', times: 1 });
    await pressKeyOn(last, 'Enter');
    await expectText(toastItem, /Failed to create user ?The disk is nearly full\./);
    await pressKeyOn(last, 'Enter');
    await expectText(toastItem, 'The password is displayed below.');
    const password = form.getByLabelText('Password', { exact: true });
    await expect.element(password).toHaveAttribute('type', 'password');
    await pressKeyOn(form.getByRole('button', { name: 'Show password' }), 'Enter');
    await expect.element(password).toHaveAttribute('type', 'text');
    await pressKeyOn(form.getByRole('button', { name: 'Hide password' }), 'Enter');
    await expect.element(password).toHaveAttribute('type', 'password');
    await pressKeyOn(form.getByRole('button', { name: 'Copy password' }), 'Enter');
    await expect.element(page.getByText('Password copied to clipboard').first()).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('lotus-and-lion');
    await expectAccessible('created credentials');
    // The draft is deleted from the device, and the password was never stored there.
    await expect.element(email).toHaveValue('');
    const kept = JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(kept).not.toContain('Created');
    expect(kept).not.toContain('lotus-and-lion');
    await pressKeyOn(form.getByRole('button', { name: 'Clear' }), 'Enter');
    await expectCount(password, 0);
    // Waits, because the focus moves one frame after the button has disappeared.
    await expect.poll(() => document.activeElement === document.body).toBe(false);
  });

  test('the form for a new user restores what was typed after the session is lost', async () => {
    await renderPage('/admin/invite', { user });
    await email.fill('typed at example.org');
    await form.getByLabelText('First name').fill('Typed');
    await last.fill('Before');
    await form.getByRole('checkbox', { name: 'Refuge' }).click();
    await pressKeyOn(create, 'Enter');
    await expect.element(form.getByText('Please enter a valid email address.')).toBeVisible();
    await expectCount(page.getByText(/Please fill in all fields/), 0);
    await email.fill('typed@example.org');
    rejectCalls(api.users.create, 401, { message: 'Unauthorized', times: 1 });
    await pressKeyOn(create, 'Enter');
    await expectText(toastItem, 'UnauthorizedYou are logged out. Logging in again...');
    await renderPage('/admin/invite', { user });
    await expect.element(email).toHaveValue('typed@example.org');
    await expect.element(last).toHaveValue('Before');
    await expectCount(form.getByRole('checkbox', { checked: true }), 2);
    const { suggestOwnPassword: _, wantsNewsMail: __, ...created } = buildStudent();
    mockEndpoint(api.users.create, {
      user: { ...created, firstName: 'Typed', lastName: 'Before' },
      password: 'lotus-and-lion',
    });
    await pressKeyOn(create, 'Enter');
    await expect.element(form.getByRole('heading', { name: 'Typed Before can sign in now' })).toBeVisible();
    await renderPage('/admin/invite', { user });
    await expect.element(email).toHaveValue('');
  });
});
