import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent } from '#testing/browser/community.ts';
import { mockEndpoint, breakConnection, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  page,
  pressKeyOn as pressKey,
  userEvent,
} from '#testing/browser/screen.ts';

const TOKEN = 'f3b7a6f0-9d0e-4c3c-8a51-0d3a5c1c7b11';
const LINK = `/unsubscribe#token=${TOKEN}`;
const visitor = { user: null };

const heading = (name: string) => page.getByRole('heading', { name });
const button = (name: string) => page.getByRole('button', { name });
const press = (name: string) => pressKey(button(name), 'Enter');
const alert = page.getByRole('main').getByRole('alert');

test('an older unsubscribe link with its token in the query still works', async () => {
  await renderPage(`/unsubscribe?token=${TOKEN}`, visitor);
  await expectUrl(/^\/unsubscribe$/);
  mockEndpoint(api.notifications.chooseByLink, { wantsNewsMail: false });
  await press('Stop these emails');
  await expect.element(heading('Email notifications are off')).toBeVisible();
  expect(getCalls(api.notifications.chooseByLink)[0]?.body).toEqual({ token: TOKEN, wantsNewsMail: false });
});

test('opening the link changes nothing; emails can be stopped and resumed by keyboard', async () => {
  await renderPage(LINK, visitor);
  await expect.element(heading('Email notifications')).toBeVisible();
  await expectAccessibleWithoutOverflow('asked');
  // The token is removed from the URL, but is still available after a reload.
  await expectUrl(/^\/unsubscribe$/);
  await reloadPage();
  await expect.element(button('Stop these emails')).toBeVisible();
  expect(getCalls(api.notifications.chooseByLink)).toEqual([]);

  mockEndpoint(api.notifications.chooseByLink, { wantsNewsMail: false });
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Stop these emails')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Email notifications are off')).toHaveFocus();
  mockEndpoint(api.notifications.chooseByLink, { wantsNewsMail: true });
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(heading('Email notifications are on')).toHaveFocus();
  expect(getCalls(api.notifications.chooseByLink).map(({ body }) => body)).toEqual([
    { token: TOKEN, wantsNewsMail: false },
    { token: TOKEN, wantsNewsMail: true },
  ]);
});

test('a double click on “Stop these emails” does not start them again', async () => {
  await renderPage(LINK, visitor);
  mockEndpoint(api.notifications.chooseByLink, { wantsNewsMail: false });
  await userEvent.click(button('Stop these emails'));
  await expect.element(heading('Email notifications are off')).toBeVisible();
  const again = button('Start these emails again').element();
  again.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  await expect.element(heading('Email notifications are off')).toBeVisible();
  expect(getCalls(api.notifications.chooseByLink)).toHaveLength(1);
});

test('unsubscribing while offline shows an error and can be retried', async () => {
  await renderPage(LINK, visitor);
  breakConnection(api.notifications.chooseByLink, { times: 1 });
  await press('Stop these emails');
  await expectText(alert, 'This couldn’t be saved. Please try again.');
  await expect.element(heading('Email notifications')).toBeVisible();
  mockEndpoint(api.notifications.chooseByLink, { wantsNewsMail: false });
  await press('Stop these emails');
  await expect.element(heading('Email notifications are off')).toBeVisible();
  await expectCount(alert, 0);
});

test('an invalid unsubscribe link shows an error and points to the settings', async () => {
  await renderPage('/unsubscribe', visitor);
  await expectText(alert, 'This link doesn’t work.');
  await expectCount(button('Stop these emails'), 0);

  rejectCalls(api.notifications.chooseByLink, 404, { message: 'This link doesn’t work.' });
  await renderPage(LINK, visitor);
  await press('Stop these emails');
  await expectText(alert, 'This link doesn’t work.');
  await alert.getByRole('link', { name: 'Open Yangchen' }).click();
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();

  await renderPage('/unsubscribe?token=cut-off', visitor);
  await press('Stop these emails');
  await expectText(alert, 'This link doesn’t work.');
});

test('unsubscribing by link refetches the session of a signed-in user', async () => {
  const user = buildStudent();
  await renderPage(LINK, { user });
  mockEndpoint(api.notifications.chooseByLink, () => {
    mockEndpoint(api.signIn.whoAmI, { ...user, wantsNewsMail: false });
    return { wantsNewsMail: false };
  });
  await press('Stop these emails');
  await expect.element(heading('Email notifications are off')).toBeVisible();
  await expect.poll(() => getCalls(api.signIn.whoAmI).length).toBe(1);
});
