import { expect, test } from 'vitest';
import { api } from '../../../api.ts';
import { aRequest, aTeacher, type Registration } from '../../../testing/browser/community.ts';
import { answer, refuse } from '../../../testing/browser/fake-api.ts';
import { expectAccessible } from '../../../testing/browser/look.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { expectCount, expectText, page, press, toast, userEvent } from '../../../testing/browser/screen.ts';

const user = aTeacher();

test('a request is deleted by keyboard alone, after being asked, and focus goes to the next one', async () => {
  let requests = [aRequest('Later Person'), aRequest('Earlier Person')];
  answer(api.registrations.list, () => requests);
  answer(api.registrations.remove, () => {
    requests = requests.slice(1);
    return { message: 'Deleted' };
  });
  await renderPage('/admin/registrations', { user });
  const button = page.getByRole('button', { name: 'Delete: Later Person' });
  const asked = page.getByRole('alertdialog');
  await press(button, 'Enter');
  await expectText(asked, 'Delete the request of Later Person?');
  await expectAccessible('asked to delete a request');
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
  await press(button, 'Enter');
  await press(asked.getByRole('button', { name: 'Delete' }), 'Enter');
  await expectText(toast, 'Request deletedRegistration request has been removed from the queue');
  await expectCount(page.getByText('later.person@example.org'), 0);
  await expect.element(page.getByRole('heading', { name: 'Earlier Person' })).toHaveFocus();

  // Somebody else has been quicker.
  await press(page.getByRole('button', { name: 'Delete: Earlier Person' }), 'Enter');
  requests = [];
  refuse(api.registrations.remove, 404, { message: 'No such request' });
  await press(asked.getByRole('button', { name: 'Delete' }), 'Enter');
  await expectText(toast, 'Delete failedNo such request');
  await expectCount(page.getByText('earlier.person@example.org'), 0);
});

test('a request that another window has approved meanwhile is said to be, and shows no longer', async () => {
  const request = aRequest('Dechen Lhamo');
  answer(api.registrations.list, [request]);
  await renderPage('/admin/registrations', { user });
  const card = page.getByRole('listitem').filter({ hasText: request.email });
  await expectText(card, 'Dechen Lhamo');
  const approved: Registration = { ...request, status: 'approved', processedAt: new Date() };
  answer(api.registrations.list, [approved]);
  refuse(api.registrations.approve, 409, { message: 'This request has been approved already.' });
  await card.getByRole('button', { name: /Approve & Send Credentials/ }).click();
  await expectCount(page.getByText('Pending Review'), 0);
  const region = page.getByRole('region', { name: 'Pending Requests' });
  await expectText(region, 'Approval failed');
  await expectText(region, 'This request has been approved already.');
});
