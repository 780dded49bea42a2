import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildFeedback, buildRecording, getToneFileName } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, ConnectionError, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectUrl, expectCount, expectText, page, toastItem } from '#testing/browser/screen.ts';

test('shows a recording as pending, reviewed and, after a failed attempt, integrated', async () => {
  await renderPage('/past-recordings');
  await expect.element(page.getByText('No recordings yet')).toBeVisible();
  await page.getByRole('link', { name: 'Submit Your First Recording' }).click();
  await expectUrl(/\/submit$/);

  const pending = buildRecording('My very first', { message: 'With a cold', createdAt: new Date() });
  mockEndpoint(api.recordings.mine, [pending]);
  await renderPage('/past-recordings');
  const card = page.getByRole('article', { name: 'My very first' });
  await expect.element(card.getByText('Pending', { exact: true })).toBeVisible();
  await expect.element(card.getByText('Khandro-la hasn’t replied yet.')).toBeVisible();
  await expect.element(card.getByText('With a cold')).toBeVisible();
  await expect.element(card.getByText(/Submitted (just now|\d+ seconds ago)/)).toBeVisible();
  await expectCount(card.getByRole('link', { name: 'View Feedback' }), 0);

  const reviewed = { ...pending, status: 'reviewed' as const };
  const given = buildFeedback(reviewed, { writtenFeedback: 'A fine beginning.' });
  mockEndpoint(api.recordings.mine, [reviewed]);
  mockEndpoint(api.feedback.mine, [given]);
  let isBroken = true;
  let stored = given;
  mockEndpoint(api.feedback.setStatus, ({ body }) => {
    const { status } = body as { status: 'read' | 'integrated' };
    if (isBroken && status === 'integrated') throw new ConnectionError();
    // Like the server, does not set integrated feedback back to read when the page marks it as read.
    if (stored.status !== 'integrated') stored = { ...stored, status };
    mockEndpoint(api.feedback.mine, [stored]);
    return stored;
  });
  const integrations = () =>
    getCalls(api.feedback.setStatus).filter(({ body }) => body['status'] === 'integrated');
  await renderPage('/past-recordings');
  await expect.element(card.getByText('Reviewed', { exact: true })).toBeVisible();
  await expectCount(card.getByText(/hasn’t replied yet/), 0);
  await card.getByRole('link', { name: 'View Feedback' }).click();
  await expectUrl(/\/feedback/);
  const shown = page.getByRole('article').filter({ hasText: 'A fine beginning.' });
  const integrate = shown.getByRole('button', { name: 'Mark as Integrated' });
  const leave = () => dispatchEvent(new PageTransitionEvent('pagehide'));
  await integrate.click();
  await expectText(toastItem, /Feedback marked as integrated/);
  leave();
  await expectText(toastItem, /^Error.*Failed to update feedback status\./);
  await expectText(shown.getByRole('alert'), 'Failed to update feedback status. No connection.');
  isBroken = false;
  await integrate.click();
  await shown.getByRole('button', { name: 'Undo' }).click();
  leave();
  await expect.element(integrate).toBeVisible();
  expect(integrations()).toHaveLength(1);
  await integrate.click();
  leave();
  await expect.element(shown.getByText('Integrated', { exact: true })).toBeVisible();
  expect(integrations()).toHaveLength(2);
});

test('a student can withdraw a recording until it is answered', async () => {
  const [unwanted, answered] = [buildRecording('Not this one'), buildRecording('Answered meanwhile')];
  mockEndpoint(api.recordings.mine, [answered, unwanted]);
  await renderPage('/past-recordings');
  const withdraw = async (title: string) => {
    await page.getByRole('button', { name: `Take back ${title}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click();
  };
  mockEndpoint(
    api.recordings.withdraw,
    () => {
      mockEndpoint(api.recordings.mine, [answered]);
      return { message: 'Withdrawn' };
    },
    { times: 1 },
  );
  await withdraw('Not this one');
  await expect.element(page.getByText('Recording taken back').first()).toBeVisible();
  await expectCount(page.getByRole('article'), 1);
  rejectCalls(api.recordings.withdraw, 409, { message: 'Khandro-la has already replied' });
  mockEndpoint(api.recordings.mine, [{ ...answered, status: 'reviewed' }]);
  await withdraw('Answered meanwhile');
  await expect.element(page.getByText('Khandro-la has already replied').first()).toBeVisible();
  await expectText(page.getByRole('article'), 'Reviewed');
  await expectCount(page.getByRole('button', { name: /Take back/ }), 0);
});

test('the “Save data” setting applies only to audio that has not started playing', async () => {
  mockEndpoint(api.recordings.mine, [
    buildRecording('First', { audioUrl: getToneFileName(60), duration: 60, audioCopies: ['small'] }),
    buildRecording('Second', { audioCopies: ['small'] }),
  ]);
  await renderPage('/past-recordings');
  await page.getByRole('button', { name: 'Play First' }).click();
  const sounds = () => [...document.querySelectorAll('audio')];
  await expect.poll(() => sounds()[0]?.currentTime).toBeGreaterThan(0);
  const [playing] = sounds();
  await page.getByRole('button', { name: /account/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Save data' }).click();
  await expect.poll(() => sounds()[1]?.src).toMatch(/type=audio&copy=small$/);
  expect([playing!.paused, playing!.src]).toEqual([false, expect.stringMatching(/type=audio$/)]);
  expect(localStorage.getItem('sound')).toBe('small');
  await page.getByRole('radio', { name: 'Automatic' }).click();
  await expect.poll(() => sounds()[1]?.src).toMatch(/type=audio$/);
});
