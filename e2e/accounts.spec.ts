import type { Page } from '@playwright/test';
import { TEACHER_CREDENTIALS, expect, test } from './fixtures.ts';
import { findToast } from './toast.ts';

test.use({ sharesWorld: true });

test('a visitor requests access, is approved, and signs in with the emailed password', async ({
  signedIn,
  visitor,
  world,
}) => {
  const { name, email } = newcomer('Pema Wangmo');
  const title = `Refuge Prayer ${name}`;
  const refuge = await world.level('Refuge');
  await world.teacher.form('/api/melodies', { title, transmissionLevelId: refuge.id });

  const guest = await visitor();
  await guest.goto('/auth');
  await guest.getByRole('tab', { name: 'Request Access' }).click();
  await guest.getByLabel('Full name').fill(name);
  await guest.getByLabel('Email').fill(email);
  await guest.getByRole('button', { name: 'Submit Request' }).click();
  await expect(findToast(guest)).toContainText(
    'Registration request submittedThe teacher will review your request and send your login credentials by email.',
  );

  const teacherPage = await signedIn(TEACHER_CREDENTIALS);
  await teacherPage.goto('/admin/registrations');
  const card = teacherPage.getByRole('listitem').filter({ hasText: email });
  await expect(card).toContainText('Pending Review');
  await expect(card.getByRole('checkbox', { name: 'Open to All' })).toBeChecked();
  await expect.poll(() => readPendingCount(teacherPage)).toBeGreaterThan(0);
  const before = await readPendingCount(teacherPage);
  await expect(
    teacherPage.getByRole('heading', { name: `Pending Requests ${before} pending` }),
  ).toBeVisible();
  await card.getByRole('checkbox', { name: 'Refuge' }).check();
  await card.getByRole('button', { name: /Approve & Send Credentials/ }).press('Enter');
  await expect(
    teacherPage.getByText("Login credentials have been sent to the user's email").first(),
  ).toBeVisible();
  await expect(teacherPage.getByRole('region', { name: 'Recent Activity' })).toContainText(email);
  await expect.poll(() => readPendingCount(teacherPage)).toBe(before - 1);

  const { username, password } = await world.credentialsFor(email);
  await guest.getByRole('tab', { name: 'Sign In' }).click();
  await guest.getByLabel('Username').fill(username);
  await guest.getByLabel('Password', { exact: true }).fill(password);
  await guest.getByLabel('Password', { exact: true }).press('Enter');
  await expect(guest.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await guest.goto('/melodies');
  await expect(guest.getByRole('button', { name: 'Refuge', exact: true })).toBeVisible();
  await expect(guest.getByRole('heading', { name: title })).toBeVisible();
});

function newcomer(name: string) {
  const id = crypto.randomUUID().slice(0, 6);
  return { name: `${name} ${id}`, email: `newcomer.${id}@example.org` };
}

async function readPendingCount(page: Page) {
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Registration Requests/ });
  return Number(/\d+/.exec((await link.textContent()) ?? '')?.[0] ?? 0);
}
