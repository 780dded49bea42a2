import type { z } from 'zod';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildTeacher, mockMailOverview } from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { mockEndpoint, breakConnection, getCalls } from '#testing/browser/fake-api.ts';
import {
  expectAccessible,
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import {
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  toastItem,
  userEvent,
} from '#testing/browser/screen.ts';
import type { outboxMail, failedMail } from '../contract.ts';

type OutboxMail = z.input<typeof outboxMail>;
type TroubledMail = z.input<typeof failedMail>;

/** The longest realistic email address. */
const LONG = `the-one-whose-name-is-as-long-as-the-road-to-the-valley-of-flowers@example.org`;

const user = buildTeacher();
let ids = 0;
const toBePassedOn = (recipient: string): OutboxMail => ({
  id: (ids += 1),
  kind: 'credentials',
  recipient,
  name: 'Pema Lhamo',
  subject: 'Your account',
  createdAt: new Date(),
  isHidden: false,
});
const TEXT = 'Username: pema.lhamo\nPassword: lotus-and-lion';
const buildRefusedMail = (recipient: string, reason: string): TroubledMail => {
  const { isHidden: _, ...mail } = toBePassedOn(recipient);
  return { ...mail, reason };
};

async function invite(email: string) {
  mockEndpoint(api.invitations.invite, {
    successCount: 1,
    failureCount: 0,
    results: [{ email, ok: true }],
  });
  const row = page.getByRole('group', { name: 'Invite 1' });
  await row.getByLabelText('Email').fill(email);
  await row.getByLabelText('First name').fill('Pema');
  await row.getByLabelText('Last name').fill('Lhamo');
  await pressKeyOn(page.getByRole('button', { name: 'Send 1 Invite' }), 'Enter');
  await expect.element(page.getByText('1 invite sent', { exact: true }).first()).toBeVisible();
}

async function openSettings() {
  await page.getByRole('button', { name: /account/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
}

describe('without a mail server', () => {
  const notice = page.getByRole('region', { name: /emails? to pass on$/ });
  const withoutServer = { user, sendsMail: false };

  test('without a mail server, invites can be copied and passed on by keyboard', async () => {
    const email = 'newcomer@example.org';
    mockMailOverview({ hasServer: false });
    await renderPage('/admin/invite', withoutServer);
    await expect.element(page.getByText(/We’ll write an email for each person/)).toBeVisible();
    mockMailOverview({ hasServer: false, outbox: [toBePassedOn(email)] });
    await invite(email);
    await expect
      .element(page.getByText('Email isn’t set up. Please pass the emails on yourself.').first())
      .toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: email }).last();
    await expectText(row, 'To pass on');
    await expectCount(row.getByText('Sent', { exact: true }), 0);
    await pressKeyOn(page.getByRole('link', { name: 'at the top of this page' }), 'Enter');
    await expect.element(notice).toBeInViewport();

    await pressKeyOn(notice.getByRole('button', { name: 'Show' }), 'Enter');
    mockEndpoint(api.mail.openText, { text: TEXT });
    await pressKeyOn(notice.getByRole('button', { name: `Show the email to ${email}` }), 'Enter');
    const text = notice.getByRole('group', { name: `Text of the email to ${email}` });
    await expect.element(text).toHaveFocus();
    const details = notice.getByRole('button', { name: 'Copy sign-in details of Pema Lhamo' });
    await pressKeyOn(details, 'Enter');
    await expect.element(notice.getByText('Copied.')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(
      `${location.origin}\nUsername: pema.lhamo\nPassword: lotus-and-lion`,
    );
    await expectText(text, 'pema.lhamo');
    await expectText(text, 'lotus-and-lion');
    const copy = notice.getByRole('button', { name: `Copy the email to ${email}` });
    await pressKeyOn(copy, 'Enter');
    await expect.element(notice.getByText('Copied.')).toBeVisible();
    await expect.element(copy).toHaveFocus();
    expect(await navigator.clipboard.readText()).toContain('lotus-and-lion');

    const passedOn = notice.getByRole('button', { name: 'I’ve passed it on' }).first();
    await pressKeyOn(passedOn, 'Enter');
    const asked = page.getByRole('alertdialog', { name: 'Have you passed this email on?' });
    await expectText(asked, `The text of the email to ${email} will be deleted`);
    await userEvent.keyboard('{Escape}');
    await expect.element(passedOn).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    mockEndpoint(api.mail.settle, () => {
      mockMailOverview({ hasServer: false });
      return { message: 'Settled' };
    });
    await pressKeyOn(asked.getByRole('button', { name: 'I’ve passed it on' }), 'Enter');
    await expectCount(asked, 0);
    await expectCount(notice, 0);
    await expect.element(page.getByRole('heading', { name: 'Invite Users' })).toBeVisible();
  });

  test('all waiting emails can be downloaded as one file and marked as passed on', async () => {
    const outbox = [toBePassedOn('a@example.org'), toBePassedOn('b@example.org')];
    mockMailOverview({ hasServer: false, outbox });
    await renderPage('/admin/users', withoutServer);
    await pressKeyOn(notice.getByRole('button', { name: 'Pass on all' }), 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Pass on all emails' });
    mockEndpoint(api.mail.openMany, ({ body }) => {
      const [first, second] = outbox;
      const isFirstPage = (body as { before?: number }).before === undefined;
      const { kind: _, isHidden: __, ...mail } = isFirstPage ? first! : second!;
      return { mails: [{ ...mail, username: 'pema', text: TEXT }], before: isFirstPage ? mail.id : null };
    });
    await pressKeyOn(dialog.getByRole('button', { name: 'Download the file' }), 'Enter');
    await expect.element(dialog.getByText('2 emails in the file.')).toBeVisible();
    expect(navigationsAndDownloads).toEqual(['emails-to-pass-on.csv']);
    mockEndpoint(api.mail.passOn, () => {
      mockMailOverview({ hasServer: false });
      return { passedOn: 2 };
    });
    await pressKeyOn(dialog.getByRole('button', { name: 'I’ve passed them on' }), 'Enter');
    await expectText(toastItem, '2 emails passed on');
    await expectCount(notice, 0);
    const [call] = getCalls(api.mail.passOn);
    expect(call?.body).toMatchObject({ ids: outbox.map(({ id }) => id) });
  });

  test('waiting emails are accessible at every width and in every theme', async () => {
    mockMailOverview({ hasServer: false, outbox: ['a@example.org', LONG].map(toBePassedOn) });
    await renderPage('/admin/registrations', withoutServer);
    await expect.element(notice.getByText('2 emails to pass on')).toBeVisible();
    await expectCount(notice.getByRole('listitem'), 0);
    await pressKeyOn(notice.getByRole('button', { name: 'Show' }), 'Enter');
    await expect.element(notice.getByRole('heading', { name: LONG })).toBeVisible();
    await expectAccessibleWithoutOverflow('emails to pass on');
  });

  test('an email to a teacher shows a reset command instead of its text', async () => {
    const hidden = { ...toBePassedOn('dechen@example.org'), name: 'Dechen', isHidden: true };
    let outbox = [hidden];
    mockMailOverview(() => ({ hasServer: false, outbox }));
    await renderPage('/admin/users', withoutServer);
    await pressKeyOn(notice.getByRole('button', { name: 'Show' }), 'Enter');
    await expectText(notice, 'npm run admin -- reset dechen@example.org');
    await expectCount(notice.getByRole('button', { name: /^Show the email/ }), 0);
    mockEndpoint(api.mail.settle, () => {
      outbox = [];
      return { message: 'Settled' };
    });
    await pressKeyOn(notice.getByRole('button', { name: 'Remove from the list' }), 'Enter');
    const asked = page.getByRole('alertdialog', { name: 'Remove this email from the list?' });
    await pressKeyOn(asked.getByRole('button', { name: 'Remove from the list' }), 'Enter');
    await expectCount(notice, 0);
  });

  test('an opened email fits a narrow phone with larger text', async () => {
    const hidden = { ...toBePassedOn('dechen@example.org'), isHidden: true };
    mockMailOverview({ hasServer: false, outbox: [hidden, toBePassedOn(LONG)] });
    mockEndpoint(api.mail.openText, { text: TEXT });
    await page.viewport(320, 640);
    document.documentElement.dataset['textSize'] = 'larger';
    onTestFinished(() => {
      document.documentElement.dataset['textSize'] = 'normal';
    });
    await renderPage('/admin/registrations', withoutServer);
    await pressKeyOn(notice.getByRole('button', { name: 'Show' }), 'Enter');
    await expectText(notice, 'npm run admin -- reset');
    await pressKeyOn(notice.getByRole('button', { name: `Show the email to ${LONG}` }), 'Enter');
    await expectText(notice.getByRole('group', { name: `Text of the email to ${LONG}` }), 'lotus-and-lion');
    expectNoHorizontalScroll('an opened email at 320 px, larger text');
    for (const line of notice.css('p, button, a, h2, h3').elements())
      expect(line.getBoundingClientRect().right, line.textContent).toBeLessThanOrEqual(320);
  });

  test('without a mail server, the settings show that email isn’t set up', async () => {
    await renderPage('/', { sendsMail: false });
    await openSettings();
    await expectText(page.getByRole('dialog'), 'Email isn’t set up here yet.');
    await expectAccessible('settings without a mail server');
  });
});

test('with a mail server, invites are sent and the settings describe news emails', async () => {
  await renderPage('/admin/invite', { user });
  await invite('newcomer@example.org');
  await expectCount(page.getByText(/no mail server/), 0);
  await expectText(page.getByRole('listitem').filter({ hasText: 'newcomer@example.org' }), 'Sent');
  await openSettings();
  await expectText(page.getByRole('dialog'), 'At most once an hour');
});

test.each([
  [false, 'The text of this email isn’t on this server. Create it again.'],
  [true, 'The text of this email isn’t on this server. Press “Send now” to write and send it again.'],
])('an email whose text is missing is removed, not passed on (mail server: %s)', async (hasServer, hint) => {
  const waiting = page.getByRole('region', { name: /^1 email to/ });
  mockMailOverview({ hasServer, outbox: [toBePassedOn('pema@example.org')] });
  await renderPage('/admin/users', { user, sendsMail: hasServer });
  await pressKeyOn(waiting.getByRole('button', { name: 'Show' }), 'Enter');
  mockEndpoint(api.mail.openText, { text: null });
  await pressKeyOn(waiting.getByRole('button', { name: 'Show the email to pema@example.org' }), 'Enter');
  await expectText(waiting, hint);
  await pressKeyOn(waiting.getByRole('button', { name: 'Remove from the list' }), 'Enter');
  const asked = page.getByRole('alertdialog', { name: 'Remove this email from the list?' });
  await expectText(asked, 'Pema Lhamo won’t get this email.');
  await expect.element(asked.getByRole('button', { name: 'Cancel' })).toBeVisible();
  mockEndpoint(api.mail.settle, { message: 'Settled' });
  await pressKeyOn(asked.getByRole('button', { name: 'Remove from the list' }), 'Enter');
  await expect.element(page.getByText('Removed from the list').first()).toBeVisible();
});

test('an undelivered email shows the reason and can be resent or given up', async () => {
  const reason = 'The address was refused: 550 5.1.1 No such mailbox';
  let mails = [buildRefusedMail(LONG, reason), buildRefusedMail('given@example.org', reason)];
  mockMailOverview(() => ({ undeliverable: mails }));
  const takeOff = () => {
    mails = mails.slice(1);
    return { message: 'Done' };
  };
  mockEndpoint(api.mail.sendAgain, takeOff);
  mockEndpoint(api.mail.settle, takeOff);
  await renderPage('/admin/registrations', { user });
  const notice = page.getByRole('region', { name: '2 emails weren’t delivered' });
  await pressKeyOn(notice.getByRole('button', { name: 'Show' }), 'Enter');
  await expectCount(notice.getByText(reason), 2);
  await pressKeyOn(page.getByRole('button', { name: `Send again to ${LONG}` }), 'Enter');
  await expect.element(page.getByText('The email is being sent again').first()).toBeVisible();
  // Focus moves to the heading above the remaining email.
  await expect.element(page.getByRole('heading', { name: '1 email wasn’t delivered' })).toHaveFocus();
  await pressKeyOn(page.getByRole('button', { name: 'Remove the email to given@example.org' }), 'Enter');
  await expect.element(page.getByText('Removed from the list').first()).toBeVisible();
  await expectCount(page.getByText('delivered'), 0);
});

test('a temporarily rejected email is shown as delayed, without an action', async () => {
  const reason = 'The mail server isn’t accepting email for this address yet: 451 Come back later';
  mockMailOverview({ delayed: [buildRefusedMail('late@example.org', reason)] });
  await renderPage('/admin/users', { user });
  await expectText(
    page.getByText('The email to Pema Lhamo (late@example.org) is delayed:'),
    `${reason}. We’ll keep trying for a day.`,
  );
});

test('counts over a thousand undelivered emails and loads them page by page', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => buildRefusedMail(`number.${n}@example.org`, 'Refused.'));
  mockMailOverview({ undeliverable: many(1_060), delayed: many(2) });
  await renderPage('/admin/users', { user });
  const notice = page.getByRole('region', { name: '1,060 emails weren’t delivered' });
  await expectCount(notice.getByRole('listitem'), 0);
  const delayed = page.getByText(/^2 emails are delayed: Refused\./);
  await pressKeyOn(delayed.getByRole('button', { name: 'Show' }), 'Enter');
  await expectTexts(delayed.getByRole('heading'), [
    'Pema Lhamo number.0@example.org',
    'Pema Lhamo number.1@example.org',
  ]);
  await pressKeyOn(notice.getByRole('button', { name: 'Show', exact: true }), 'Enter');
  await expectCount(notice.getByRole('listitem'), 50);
  const more = notice.getByRole('button', { name: 'Load more (1,010 left)' });
  breakConnection(api.mail.undeliverable, { times: 1 });
  await pressKeyOn(more, 'Enter');
  await expect.element(notice.getByText('These emails couldn’t be loaded.')).toBeVisible();
  await pressKeyOn(notice.getByRole('button', { name: 'Try again' }), 'Enter');
  await expectCount(notice.getByRole('listitem'), 100);
});

test('“Send all” sends the emails in batches and counts failures', async () => {
  let outbox = Array.from({ length: 31 }, (_, n) => toBePassedOn(`number.${n}@example.org`));
  mockMailOverview(() => ({ hasServer: true, outbox }));
  await renderPage('/admin/users', { user });
  const notice = page.getByRole('region', { name: '31 emails to send' });
  mockEndpoint(api.mail.sendMany, ({ body }) => {
    if (body['before'] === undefined) return { sent: 20, failed: 0, before: 7 };
    outbox = outbox.slice(0, 1);
    return { sent: 10, failed: 1, before: null };
  });
  await pressKeyOn(notice.getByRole('button', { name: 'Send all' }), 'Enter');
  await expectText(toastItem, '30 emails are being sent1 couldn’t be sent and stays on the list.');
  await expect.element(page.getByRole('region', { name: '1 email to send' })).toBeVisible();
  expect(getCalls(api.mail.sendMany).map(({ body }) => body)).toEqual([
    { which: 'outbox' },
    { which: 'outbox', before: 7 },
  ]);
});

test('loading a list of emails can be retried after a failure', async () => {
  mockMailOverview({ undeliverable: [buildRefusedMail('one@example.org', 'Refused.')] });
  const comesBack = breakConnection(api.mail.undeliverable);
  await renderPage('/admin/users', { user });
  await expect.element(page.getByText('These emails couldn’t be loaded.')).toBeVisible();
  comesBack();
  await pressKeyOn(page.getByRole('button', { name: 'Try again' }), 'Enter');
  await expect.element(page.getByRole('heading', { name: '1 email wasn’t delivered' })).toBeVisible();
});
