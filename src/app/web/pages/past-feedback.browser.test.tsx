import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildFeedback, buildRecording, buildTeacher } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectUrl, page } from '#testing/browser/screen.ts';

const user = buildTeacher();
const SEEN = {
  unread: ['Not seen yet', 'The student has not seen this feedback yet.'],
  read: ['Seen', 'The student has seen this feedback.'],
  integrated: ['Integrated', 'The student has integrated this feedback.'],
} as const;

test('an empty list of past feedback links to the inbox', async () => {
  await renderPage('/past-feedback', { user });
  await expect.element(page.getByText('No Feedback Yet')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Admin Inbox' }).click();
  await expectUrl(/\/admin$/);
});

test('each card of past feedback shows whether the student has seen the feedback', async () => {
  const student = { firstName: 'Sonam', lastName: 'Lhamo', username: 'sonam.lhamo' };
  const given = (Object.keys(SEEN) as (keyof typeof SEEN)[]).map((status) =>
    buildFeedback(buildRecording(`Now ${status}`, { message: `Message ${status}`, student }), {
      writtenFeedback: `Words ${status}`,
      status,
    }),
  );
  mockEndpoint(api.feedback.given, given);
  await renderPage('/past-feedback', { user });
  for (const [status, [word, note]] of Object.entries(SEEN)) {
    const card = page.getByRole('article', { name: `Now ${status}` });
    await expect.element(card.getByText('Sonam Lhamo', { exact: true })).toBeVisible();
    await expect.element(card.getByText(`Message ${status}`)).toBeVisible();
    await expect.element(card.getByText(`Words ${status}`)).toBeVisible();
    await expect.element(card.getByText(word, { exact: true })).toBeVisible();
    await expect.element(card.getByText(note)).toBeVisible();
  }
});

test('a correction that is too long stays in the form with an error and is not sent', async () => {
  const given = buildFeedback(buildRecording('A long answer'), { writtenFeedback: 'Short.' });
  mockEndpoint(api.feedback.given, [given]);
  mockEndpoint(api.feedback.correct, { ...given, writtenFeedback: 'Shorter.' });
  await renderPage('/past-feedback', { user });
  const card = page.getByRole('article');
  const text = card.getByLabelText('Written feedback');
  const save = card.getByRole('button', { name: 'Save correction' });
  await card.getByRole('button', { name: /^Edit/ }).click();
  await text.fill('z'.repeat(20_001));
  await save.click();
  await expect.element(card.getByText('1 character too long. The limit is 20,000.')).toBeVisible();
  await expect.element(text).toHaveFocus();
  expect(getCalls(api.feedback.correct)).toEqual([]);
  await text.fill('Shorter.');
  await save.click();
  await expect.element(page.getByText('Feedback corrected').first()).toBeVisible();
});
