import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildRecording, buildTeacher } from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import {
  findInboxCard,
  getDraftText,
  mockInbox,
  getSentFeedback,
  changeDraftElsewhere,
} from '#testing/browser/inbox.ts';
import { expectAccessible, expectNoHorizontalScroll } from '#testing/browser/expect-accessible.ts';
import { closePage, reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page } from '#testing/browser/screen.ts';

const user = buildTeacher();
const openInbox = () => renderPage('/admin', { user });
const card = findInboxCard('Begun');
const text = card.getByLabelText('Written feedback');
const send = card.getByRole('button', { name: 'Send Feedback' });
const isSaved = card.getByText('Draft saved');
const isOnDevice = card.getByText('Draft saved on this device');
/** Notice with another version of the draft. */
const besides = card.getByRole('status').filter({ hasText: 'also changed in another browser' });
const putAway = besides.getByRole('button', { name: 'Discard' });
const allCaughtUp = page.getByText('All Caught Up');
/** Fills in the field and leaves it, which saves the draft immediately. */
async function write(words: string, box = text) {
  await box.fill(words);
  (box.element() as HTMLElement).blur();
}

test('text that is too long stays in the form, shows an error and is not sent', async () => {
  mockInbox(buildRecording('Begun'));
  await page.viewport(390, 844);
  await openInbox();
  await text.fill('x'.repeat(20_500));
  await expect.element(text).toHaveValue('x'.repeat(20_500));
  await expect.element(card.getByText('500 characters too long. The limit is 20,000.')).toBeVisible();
  // The server would reject the draft, so the draft stays on the device.
  await expect.element(card.getByText(/^This draft is too long to save online/)).toBeVisible();
  await card.getByRole('button', { name: 'Add comment' }).click();
  const words = card.getByLabelText(/^Comment at/);
  await words.fill('y'.repeat(501));
  await expect.element(words).toHaveValue('y'.repeat(501));
  await expect.element(card.getByText('1 character too long. The limit is 500.')).toBeVisible();
  expectNoHorizontalScroll('an answer that is too long');

  await send.click();
  await expect.element(words).toHaveFocus();
  await words.fill('softer');
  await send.click();
  await expect.element(text).toHaveFocus();
  await openInbox();
  await expect.element(text).toHaveValue('x'.repeat(20_500));
  await text.fill('x'.repeat(19_999));
  await expect.element(isSaved).toBeVisible();
  await expect.element(card.getByText('19,999 of 20,000 characters')).toBeVisible();
  expect(getCalls(api.feedback.send)).toEqual([]);
  await send.click();
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  const [sent] = getCalls(api.feedback.send);
  expect(sent?.body['writtenFeedback']).toBe('x'.repeat(19_999));
  expect(JSON.parse(sent?.body['marks'] as string)).toMatchObject([{ text: 'softer' }]);
});

test.for([
  [320, 568],
  [1024, 750],
] as const)('the text “Draft saved on this device” is not cut off at %i × %i px', async ([width, height]) => {
  mockInbox(buildRecording('Begun'), buildRecording('Next'));
  rejectCalls(api.feedback.keepDraft, 503, { message: 'The server is busy' });
  await page.viewport(width, height);
  await openInbox();
  await write('Softer');
  await expect.element(isOnDevice).toBeVisible();
  const { clientWidth, scrollWidth } = isOnDevice.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  const [state, button] = [isOnDevice, send].map((each) => each.element().getBoundingClientRect());
  expect(state!.right <= button!.left || state!.bottom <= button!.top, 'beside or above Send').toBe(true);
  expectNoHorizontalScroll('a draft');
});

test('another browser’s draft is shown, and overwritten only if the teacher chooses to', async () => {
  const recording = buildRecording('Begun');
  mockInbox(recording);
  await openInbox();
  await write('From here');
  await expect.element(isSaved).toBeVisible();
  changeDraftElsewhere(recording, 'From the phone');
  await write('From here, and more');
  await expectText(besides, 'From the phone');
  await expect.element(text).toHaveValue('From here, and more');
  await expect.element(isOnDevice).toBeVisible();

  // Reloading the page with unsaved words does not overwrite the other browser's draft.
  await text.fill('From here, and more!');
  await reloadPage();
  await expect.element(text).toHaveValue('From the phone');
  await expectText(besides, 'From here, and more!');
  await expectAccessible('a draft beside another');
  expect(getDraftText(recording)).toBe('From the phone');

  await besides.getByRole('button', { name: 'Use this version' }).click();
  await expect.poll(() => getDraftText(recording)).toBe('From here, and more!');
  await putAway.click();
  await expectCount(besides, 0);
});

test('text typed after the session ended is restored and sent after a new sign-in', async () => {
  const recording = buildRecording('Begun');
  mockInbox(recording);
  await openInbox();
  await write('Before it ended');
  await expect.element(isSaved).toBeVisible();
  const refusals = [api.feedback.keepDraft, api.feedback.send].map((call) =>
    rejectCalls(call, 401, { message: 'Unauthorized' }),
  );
  await text.fill('Before it ended, and after');
  await send.click();
  await expect.poll(() => navigationsAndDownloads).toEqual(['/api/login']);
  closePage();
  expect(getDraftText(recording)).toBe('Before it ended');

  for (const end of refusals) end();
  await openInbox();
  await expect.element(text).toHaveValue('Before it ended, and after');
  await send.click();
  await expect.element(allCaughtUp).toBeVisible();
  expect(getSentFeedback()).toMatchObject([{ writtenFeedback: 'Before it ended, and after' }]);
});
