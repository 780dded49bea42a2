import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildRegistrationRequest,
  buildStudent,
  buildTeacher,
  type RegistrationFixture,
  mockRegistrationRequests,
} from '#testing/browser/community.ts';
import {
  mockEndpoint,
  getCalls,
  holdResponses,
  loseNextResponse,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, toastItem, userEvent } from '#testing/browser/screen.ts';

const user = buildTeacher();

test('the request form explains approval and emailed credentials, and keeps typed text', async () => {
  await renderPage('/auth', { user: null });
  await page.getByRole('tab', { name: 'Request Access' }).click();
  await expectText(
    page.css('body'),
    'Registration requires the teacher’s approval. Once approved, your login credentials arrive by email.',
  );
  await expect.element(page.getByLabelText('Email')).toHaveAttribute('type', 'email');

  // The typed text is kept when the visitor switches to the other tab and back.
  await page.getByLabelText('Email').fill('dechen@example.org');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await page.getByRole('tab', { name: 'Request Access' }).click();
  await expect.element(page.getByLabelText('Email')).toHaveValue('dechen@example.org');
});

test('deleting a request by keyboard asks to confirm, then focuses the next request', async () => {
  let requests = [buildRegistrationRequest('Later Person'), buildRegistrationRequest('Earlier Person')];
  mockRegistrationRequests(() => requests);
  mockEndpoint(api.registrations.remove, () => {
    requests = requests.slice(1);
    return { message: 'Deleted' };
  });
  await renderPage('/admin/registrations', { user });
  const button = page.getByRole('button', { name: 'Delete: Later Person' });
  const asked = page.getByRole('alertdialog');
  await pressKeyOn(button, 'Enter');
  await expectText(asked, 'Delete the request from Later Person?');
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
  await pressKeyOn(button, 'Enter');
  await pressKeyOn(asked.getByRole('button', { name: 'Delete' }), 'Enter');
  await expectText(toastItem, 'Request deletedRegistration request has been removed from the queue');
  await expectCount(page.getByText('later.person@example.org'), 0);
  await expect.element(page.getByRole('heading', { name: 'Earlier Person' })).toHaveFocus();

  // Deleting a request that somebody else has already deleted counts as a success.
  await pressKeyOn(page.getByRole('button', { name: 'Delete: Earlier Person' }), 'Enter');
  requests = [];
  rejectCalls(api.registrations.remove, 404, { message: 'This request no longer exists' });
  await pressKeyOn(asked.getByRole('button', { name: 'Delete' }), 'Enter');
  await expectText(toastItem, 'Request deletedRegistration request has been removed from the queue');
  await expectCount(page.getByText('earlier.person@example.org'), 0);
});

test('removes a request that was approved in another window and explains why', async () => {
  const request = buildRegistrationRequest('Dechen Lhamo');
  mockRegistrationRequests([request]);
  await renderPage('/admin/registrations', { user });
  const card = page.getByRole('listitem').filter({ hasText: request.email });
  await expectText(card, 'Dechen Lhamo');
  const approved: RegistrationFixture = { ...request, status: 'approved', processedAt: new Date() };
  mockRegistrationRequests([approved]);
  rejectCalls(api.registrations.approve, 409, { message: 'This request has already been approved.' });
  await card.getByRole('button', { name: /Approve & Send Credentials/ }).click();
  await expectCount(page.getByText('Pending Review'), 0);
  const region = page.getByRole('region', { name: 'Pending Requests' });
  await expectText(region, 'Approval failed');
  await expectText(region, 'This request has already been approved.');
});

test('a second press on Approve before the list is refetched does nothing', async () => {
  mockRegistrationRequests([buildRegistrationRequest('Dechen Lhamo')]);
  rejectCalls(api.registrations.approve, 409, { message: 'This request has already been approved.' });
  const { suggestOwnPassword: _, wantsNewsMail: __, ...made } = buildStudent();
  mockEndpoint(api.registrations.approve, { message: 'Approved', user: made }, { times: 1 });
  await renderPage('/admin/registrations', { user });
  const approve = page.getByRole('button', { name: /^Approve & Send Credentials/ });
  await expect.element(approve).toBeVisible();
  const letListGo = holdResponses(api.registrations.list);
  await approve.dblClick();
  await expectText(toastItem, 'User approved');
  await userEvent.keyboard('{Enter}');
  letListGo();
  await expectText(page.getByRole('region', { name: 'Pending Requests' }), 'User approved');
  expect(getCalls(api.registrations.approve)).toHaveLength(1);
});

test('approving a request again after a lost response counts as a success', async () => {
  mockRegistrationRequests([buildRegistrationRequest('Dechen Lhamo')]);
  rejectCalls(api.registrations.approve, 409, { message: 'This request has already been approved.' });
  const { suggestOwnPassword: _, wantsNewsMail: __, ...made } = buildStudent();
  mockEndpoint(api.registrations.approve, { message: 'Approved', user: made }, { times: 1 });
  loseNextResponse(api.registrations.approve);
  await renderPage('/admin/registrations', { user });
  const approve = page.getByRole('button', { name: /^Approve & Send Credentials/ });
  await pressKeyOn(approve, 'Enter');
  await expectText(toastItem, 'Approval failed');
  await pressKeyOn(approve, 'Enter');
  await expectText(toastItem, 'User approved');
});

test('warns if no level is ticked, but still approves the request with one press', async () => {
  mockRegistrationRequests([buildRegistrationRequest('Dechen Lhamo')]);
  const { suggestOwnPassword: _, wantsNewsMail: __, ...made } = buildStudent();
  mockEndpoint(api.registrations.approve, { message: 'Approved', user: made });
  await renderPage('/admin/registrations', { user });
  const warning = page.getByText('Without a level, they won’t hear any melodies yet.');
  const open = page.getByRole('checkbox', { name: 'Open to All' });
  await expect.element(open).toBeChecked();
  await expectCount(warning, 0);
  await pressKeyOn(open, ' ');
  await expect.element(warning).toBeVisible();
  await pressKeyOn(page.getByRole('button', { name: /^Approve & Send Credentials/ }), 'Enter');
  await expectText(toastItem, 'User approved');
  expect(getCalls(api.registrations.approve)[0]!.body).toMatchObject({ transmissionLevels: [] });
});

test('shows the number of pending requests and loads them page by page', async () => {
  const PAGE = 5;
  const waiting = Array.from({ length: PAGE + 3 }, (_, n) =>
    buildRegistrationRequest(`Waiting ${n}`),
  ).reverse();
  const approved = Array.from({ length: 7 }, (_, n) =>
    buildRegistrationRequest(`Approved ${n}`, { status: 'approved', processedAt: new Date(2025, 0, 7 - n) }),
  );
  mockRegistrationRequests([...approved, ...waiting]);
  mockEndpoint(api.registrations.list, waiting, { pageSize: PAGE });
  mockEndpoint(api.registrations.recent, approved.slice(0, 5));
  await renderPage('/admin/registrations', { user });
  const region = page.getByRole('region', { name: 'Pending Requests' });
  await expectText(region.getByRole('heading', { level: 2 }), String(waiting.length));
  await expectText(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Registration Requests' }),
    String(waiting.length),
  );
  const cards = page.css('[data-item]');
  await expectCount(cards, PAGE);
  await pressKeyOn(region.getByRole('button', { name: 'Load more (3 left)' }), 'Enter');
  await expectCount(cards, waiting.length);
  await expect.element(page.getByRole('heading', { name: 'Waiting 2', exact: true })).toHaveFocus();
  await expectCount(page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem'), 5);
});

test('shows a request’s name and email, and its date in the teacher’s time zone', async () => {
  // Still November 13 in UTC, but already November 14 in Kathmandu, the teacher's time zone.
  const at = new Date('2026-11-13T19:00:00.000Z');
  mockRegistrationRequests([
    buildRegistrationRequest('Pema', { requestedAt: at }),
    buildRegistrationRequest('Dawa', { status: 'approved', processedAt: at }),
  ]);
  await renderPage('/admin/registrations', { user });
  await expectText(
    page.getByRole('region', { name: 'Pending Requests' }).getByRole('listitem').first(),
    /^PemaPending Reviewpema@example\.orgRequested November 14, 2026/,
  );
  await expectText(
    page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem'),
    'Dawadawa@example.orgApprovedNovember 14, 2026',
  );
});

test('shows a message if there are no pending requests or no recent approvals', async () => {
  await renderPage('/admin/registrations', { user });
  await expect.element(page.getByRole('heading', { name: 'No Pending Requests' })).toBeVisible();
  await expect
    .element(page.getByText('No recent activity. Requests you approve will appear here.'))
    .toBeVisible();
});

test.each([
  [true, ''],
  [false, '. Email isn’t set up, so please pass them on yourself: they are at the top of this page.'],
])('after approval, explains how credentials arrive (email set up: %s)', async (sendsMail, added) => {
  const request = buildRegistrationRequest('Dechen Lhamo');
  mockRegistrationRequests([request]);
  const { suggestOwnPassword: _, wantsNewsMail: __, ...made } = buildStudent();
  mockEndpoint(api.registrations.approve, { message: 'Approved', user: made });
  await renderPage('/admin/registrations', { user, sendsMail });
  await pressKeyOn(page.getByRole('button', { name: /Approve & Send Credentials/ }), 'Enter');
  await expect
    .poll(() => toastItem.query()?.textContent)
    .toMatch(`User approvedLogin credentials have been sent to the user's email${added}`);
});
