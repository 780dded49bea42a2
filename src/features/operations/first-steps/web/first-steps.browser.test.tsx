import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { aStudent, aTeacher, stepsOf } from '#testing/browser/community.ts';
import { answer, callsOf } from '#testing/browser/fake-api.ts';
import { expectFineEverywhere } from '#testing/browser/look.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectAddress, expectCount, expectText, expectTexts, page, press } from '#testing/browser/screen.ts';

const user = aTeacher();
const steps = page.getByRole('region', { name: 'First steps' });

test('home shows the first steps, sends a test email, and can dismiss them', async () => {
  let state = stepsOf({ who: true });
  answer(api.firstSteps.state, () => state);
  answer(api.firstSteps.testMail, () => {
    state = stepsOf({
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
  await expectFineEverywhere('first steps');
  await press(steps.getByRole('button', { name: 'Send me a test email' }), 'Enter');
  await expectText(steps.getByRole('status'), 'The test email is being sent.');
  state = stepsOf({
    mail: { hasServer: true, isDone: false, test: { status: 'undeliverable', reason: 'No such mailbox.' } },
  });
  await press(steps.getByRole('button', { name: 'Check again' }), 'Enter');
  await expectText(steps.getByRole('status'), 'The test email was refused: No such mailbox.');
  await press(steps.getByRole('link', { name: 'View levels' }), 'Enter');
  await expectAddress(/\/admin\/users$/);
  await expect.element(page.getByRole('tab', { name: 'Levels' })).toHaveAttribute('aria-selected', 'true');

  await renderPage('/', { user });
  answer(api.firstSteps.dismiss, () => {
    state = stepsOf({ isDismissed: true });
    return { message: 'Put away' };
  });
  await press(steps.getByRole('button', { name: 'Hide this' }), 'Enter');
  await expectCount(steps, 0);
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('the steps disappear once all are done, and students never see them', async () => {
  // Mail and backups are set up on the server, not by the teacher.
  const mail = { hasServer: false, isDone: false, test: null };
  let students = false;
  answer(api.firstSteps.state, () =>
    stepsOf({ ...{ who: true, levels: true, melodies: true, students }, mail }),
  );
  await renderPage('/', { user });
  await expect.element(steps.getByText('3 of 4 done. You can do them in any order.')).toBeVisible();
  await expect
    .element(steps.getByText('Email and backups aren’t set up yet. Ask whoever runs the server.'))
    .toBeVisible();
  students = true;
  await renderPage('/', { user });
  await expect.poll(() => callsOf(api.firstSteps.state).length).toBe(2);
  await expect.element(page.getByRole('link', { name: 'Explore Melodies' })).toBeVisible();
  await expectCount(steps, 0);
  await renderPage('/', { user: aStudent() });
  await expect.element(page.getByRole('link', { name: 'Explore Melodies' })).toBeVisible();
  expect(callsOf(api.firstSteps.state)).toHaveLength(2);
});
