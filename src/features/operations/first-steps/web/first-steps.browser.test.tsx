import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent, buildTeacher, buildFirstSteps } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
} from '#testing/browser/screen.ts';

const user = buildTeacher();
const steps = page.getByRole('region', { name: 'First steps' });

test('a teacher can send a test email from the first steps, and dismiss the steps', async () => {
  let state = buildFirstSteps({ who: true });
  mockEndpoint(api.firstSteps.state, () => state);
  mockEndpoint(api.firstSteps.testMail, () => {
    state = buildFirstSteps({
      who: true,
      mail: { hasServer: true, isDone: false, test: { status: 'queued', reason: null } },
    });
    return { message: 'Sent' };
  });
  await renderPage('/', { user });
  await expectTexts(steps.getByRole('heading', { level: 3 }), [
    ...['Your details, done', 'Levels, to do', 'First melodies, to do', 'Students, to do'],
    'Email, to do',
  ]);
  await expectAccessibleWithoutOverflow('first steps');
  await pressKeyOn(steps.getByRole('button', { name: 'Send me a test email' }), 'Enter');
  await expectText(steps.getByRole('status'), 'The test email is being sent.');
  state = buildFirstSteps({
    mail: { hasServer: true, isDone: false, test: { status: 'undeliverable', reason: 'No such mailbox.' } },
  });
  await pressKeyOn(steps.getByRole('button', { name: 'Check again' }), 'Enter');
  await expectText(steps.getByRole('status'), 'The test email was refused: No such mailbox.');
  await pressKeyOn(steps.getByRole('link', { name: 'View levels' }), 'Enter');
  await expectUrl(/\/admin\/users$/);
  await expect.element(page.getByRole('tab', { name: 'Levels' })).toHaveAttribute('aria-selected', 'true');

  await renderPage('/', { user });
  mockEndpoint(api.firstSteps.dismiss, () => {
    state = buildFirstSteps({ isDismissed: true });
    return { message: 'Put away' };
  });
  await pressKeyOn(steps.getByRole('button', { name: 'Hide this' }), 'Enter');
  await expectCount(steps, 0);
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the first steps disappear once all are done, and students never see them', async () => {
  // Leaves email and backups undone. The steps must still disappear, because both are set up on the server and
  // not by the teacher.
  const mail = { hasServer: false, isDone: false, test: null };
  let students = false;
  mockEndpoint(api.firstSteps.state, () =>
    buildFirstSteps({ ...{ who: true, levels: true, melodies: true, students }, mail }),
  );
  await renderPage('/', { user });
  await expect.element(steps.getByText('3 of 4 done. You can do them in any order.')).toBeVisible();
  await expect
    .element(steps.getByText('Email and backups aren’t set up yet. Ask whoever runs the server.'))
    .toBeVisible();
  students = true;
  await renderPage('/', { user });
  await expect.poll(() => getCalls(api.firstSteps.state).length).toBe(2);
  await expect.element(page.getByRole('link', { name: 'Explore Melodies' })).toBeVisible();
  await expectCount(steps, 0);
  await renderPage('/', { user: buildStudent() });
  await expect.element(page.getByRole('link', { name: 'Explore Melodies' })).toBeVisible();
  expect(getCalls(api.firstSteps.state)).toHaveLength(2);
});
