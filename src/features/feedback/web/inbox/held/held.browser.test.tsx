import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildMelody,
  buildRecording,
  buildStudent,
  buildTeacher,
  mockLibrary,
  type MeFixture,
} from '#testing/browser/community.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  holdResponses,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import {
  findInboxCard,
  getDraftText,
  focusFirstCard,
  findHeading,
  mockHeldReplies,
  mockInbox,
  inboxList,
  typeKeys,
  findInboxRow,
  sentRepliesBar,
  undoButton,
} from '#testing/browser/inbox.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, expectTexts, page, toastItem } from '#testing/browser/screen.ts';
import { chooseSpokenPart, listStoredTakeNames } from '#testing/browser/spoken-part.ts';
import { mockUploads } from '#testing/browser/uploads.ts';

/** A new user for each test, because the device stores data per user. */
let user: MeFixture;
beforeEach(() => {
  user = buildTeacher();
});
afterEach(() => void vi.useRealTimers());
const openInbox = () => renderPage('/admin', { user });
const words = (title: string) => findInboxCard(title).getByLabelText('Written feedback');

describe('during the undo window', () => {
  test('a sent reply can be undone by keyboard and sent again', async () => {
    mockInbox(buildRecording('First'), buildRecording('Second'));
    mockHeldReplies();
    await openInbox();
    await focusFirstCard('First');
    await typeKeys('wToo early{Control>}{Enter}{/Control}');
    await expect.element(findHeading('Second')).toHaveFocus();
    await expectText(sentRepliesBar, 'Feedback sent successfully!To Tashi Dolma');
    await expectCount(toastItem, 0);
    await expectCount(findInboxCard('First'), 0);
    await expectText(page.getByRole('main'), '1 waiting, oldest first');
    await expectAccessibleWithoutOverflow('a reply that can be undone');

    await typeKeys('z');
    await expect.element(words('First')).toHaveFocus();
    await expect.element(words('First')).toHaveValue('Too early');
    await expectCount(page.getByText(/sent successfully/), 0);
    await expectTexts(inboxList.getByRole('link'), [/First/, /Second/]);
    await typeKeys('{End}, no longer{Control>}{Enter}{/Control}');
    await expect.element(sentRepliesBar).toBeVisible();
    expect(getCalls(api.feedback.send).map(({ body }) => body)).toMatchObject([
      { writtenFeedback: 'Too early', holdSeconds: '10' },
      { writtenFeedback: 'Too early, no longer', holdSeconds: '10' },
    ]);
  });

  test('Alt+Z undoes a reply while the cursor is in the text of the next reply', async () => {
    mockInbox(buildRecording('First'), buildRecording('Second'));
    mockHeldReplies();
    await openInbox();
    await focusFirstCard('First');
    await typeKeys('wToo early{Control>}{Enter}{/Control}');
    await expect.element(findHeading('Second')).toHaveFocus();
    await typeKeys('wza');
    await expect.element(words('Second')).toHaveValue('za');
    await typeKeys('{Alt>}z{/Alt}');
    await expect.element(words('First')).toHaveFocus();
    await expect.element(words('First')).toHaveValue('Too early');
    await findInboxRow('Second').getByRole('button', { name: 'Written feedback za' }).click();
    await expect.element(words('Second')).toHaveValue('za');
  });

  test('retrying undo after a lost connection stores only one copy of the audio', async () => {
    mockInbox(buildRecording('First'));
    mockHeldReplies();
    mockUploads();
    await openInbox();
    await chooseSpokenPart(findInboxCard('First'), 'reply.wav', 1);
    await findInboxCard('First').getByRole('button', { name: 'Send Feedback' }).click();
    await expect.element(undoButton).toBeVisible();
    breakConnection(api.feedback.takeBack, { times: 1 });
    await undoButton.click();
    await expectText(page.getByRole('alert'), 'Undo didn’t work.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(findInboxCard('First').getByText(/^You chose this file earlier/)).toBeVisible();
    expect(await listStoredTakeNames(user)).toHaveLength(1);
  });

  test('after a reload the answered card does not flash, and a late undo shows an error', async () => {
    const first = buildRecording('First');
    mockInbox(first, buildRecording('Second'));
    const letOut = mockHeldReplies();
    await openInbox();
    await focusFirstCard('First');
    await typeKeys('wToo early{Control>}{Enter}{/Control}');
    await expect.element(findHeading('Second')).toHaveFocus();
    const release = holdResponses(api.feedback.held);
    const cards = new Set<string | null>();
    const watching = new MutationObserver(() => {
      for (const card of document.querySelectorAll('article h2, article h3')) cards.add(card.textContent);
    });
    watching.observe(document.body, { subtree: true, childList: true });
    await reloadPage();
    await expect.poll(() => getCalls(api.recordings.pendingForInbox).length).toBeGreaterThan(1);
    release();
    await expect.element(findHeading('Second')).toBeVisible();
    await expect.element(sentRepliesBar).toBeVisible();
    watching.disconnect();
    expect([...cards]).toEqual(['Second']);

    letOut();
    await undoButton.click();
    await expectText(page.getByRole('alert'), 'Undo didn’t work. This feedback has already been sent.');
    await expectCount(findInboxCard('First'), 0);
    expect(getDraftText(first)).toBeUndefined();
    await page.getByRole('button', { name: 'Close' }).click();
    await expectCount(page.getByRole('alert'), 0);
  });
});

describe('choosing what the inbox shows', () => {
  test('a recording can be snoozed until a chosen day, and brought back early', async () => {
    const [first, second] = [buildRecording('First'), buildRecording('Second')];
    mockInbox(first, second);
    let aside: { recordingId: number; until: Date }[] = [];
    mockEndpoint(api.feedback.aside, () => aside);
    mockEndpoint(api.feedback.putAside, ({ path, body }) => {
      const recordingId = Number(/\d+/.exec(path));
      const { until } = body as { until: string | null };
      aside = until === null ? [] : [{ recordingId, until: new Date(until) }];
      return { message: 'Snoozed' };
    });
    await openInbox();
    await focusFirstCard('First');
    await typeKeys('a');
    const dialog = page.getByRole('dialog', { name: 'Snooze until' });
    await expect.element(dialog).toBeVisible();
    await expectAccessibleWithoutOverflow('the snooze dialog');
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await expectText(dialog, 'Please choose a day within the next year.');
    await dialog.getByRole('button', { name: 'In three days' }).click();
    await expect.element(findHeading('Second')).toHaveFocus();
    await expectCount(findInboxCard('First'), 0);
    await expectText(page.getByRole('main'), '2 waiting, oldest first; 1 snoozed');
    const days = (aside[0]!.until.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2);
    expect(days).toBeLessThanOrEqual(3);

    await reloadPage();
    await expect.element(findInboxCard('Second')).toBeVisible();
    await expectCount(findInboxCard('First'), 0);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('checkbox', { name: 'Include snoozed (1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await findInboxRow('First').getByRole('button', { name: 'Written feedback' }).click();
    await findInboxCard('First').getByRole('button', { name: 'Snooze' }).click();
    await dialog.getByRole('button', { name: 'Bring back now' }).click();
    await expectText(page.getByRole('main'), '2 waiting, oldest first');
    expect(aside).toEqual([]);
  });

  test('a snoozed recording returns to an open page when the snooze ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const [first, second] = [buildRecording('First'), buildRecording('Second')];
    mockInbox(first, second);
    mockEndpoint(api.feedback.aside, [{ recordingId: first.id, until: new Date(Date.now() + 60_000) }]);
    await openInbox();
    await expectText(page.getByRole('main'), '2 waiting, oldest first; 1 snoozed');
    vi.advanceTimersByTime(90_000);
    await expect.element(findInboxRow('First')).toBeVisible();
  });

  test('undoing a snooze brings the recording back and opens its card', async () => {
    const second = buildRecording('Second');
    mockInbox(buildRecording('First'), second);
    mockEndpoint(api.feedback.putAside, { message: 'Snoozed' });
    await openInbox();
    await focusFirstCard('First');
    await typeKeys('ja');
    await page.getByRole('button', { name: 'Tomorrow' }).click();
    await expect.element(findHeading('First')).toHaveFocus();
    const bar = page.getByRole('region', { name: 'Snoozed just now' });
    await expectText(bar, /^Snoozed until .*Tashi Dolma/);
    await bar.getByRole('button', { name: 'Undo' }).click();
    await expect.element(findHeading('Second')).toHaveFocus();
    await expectCount(bar, 0);
    expect(getCalls(api.feedback.putAside).at(-1)).toMatchObject({
      path: `/api/admin/recordings/${second.id}/put-aside`,
      body: { until: null },
    });
  });

  test('if snoozing fails, the recording stays open and an error is shown', async () => {
    mockInbox(buildRecording('First'));
    rejectCalls(api.feedback.putAside, 404, { message: 'This recording no longer exists.' });
    await openInbox();
    await focusFirstCard('First');
    await typeKeys('a');
    await page.getByRole('button', { name: 'Tomorrow' }).click();
    await expect.element(page.getByText('Couldn’t snooze this recording.')).toBeVisible();
    await expect.element(findInboxCard('First')).toBeVisible();
  });

  test('recordings can be grouped by student, and filtered by student and melody', async () => {
    const refuge = buildMelody('Refuge');
    const ani = buildStudent({ username: 'ani', firstName: 'Ani', lastName: 'Lhamo' });
    mockLibrary([refuge]);
    mockInbox(
      buildRecording('Of Tashi', { melodyId: refuge.id }),
      buildRecording('Of Ani', { student: ani }),
      buildRecording('Of Tashi again'),
    );
    await openInbox();
    const titles = inboxList.getByRole('link').css('span > span:nth-child(3)');
    await page.getByRole('button', { name: 'Filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter' });
    await dialog.getByLabelText('Group by').selectOptions('Student');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectTexts(titles, ['Of Ani', 'Of Tashi', 'Of Tashi again']);
    await expect.element(page.getByText('Ani Lhamo', { exact: true }).first()).toBeVisible();
    await expectAccessibleWithoutOverflow('a grouped inbox');

    await page.getByRole('button', { name: 'Filter' }).click();
    await dialog.getByLabelText('Student').selectOptions('Tashi Dolma');
    await dialog.getByLabelText('Melody').selectOptions('No melody');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectTexts(titles, ['Of Tashi again']);
    await expect.element(page.getByRole('button', { name: 'Tashi Dolma, No melody' })).toBeVisible();
    await focusFirstCard('Of Tashi again');
    await typeKeys('wWell sung{Control>}{Enter}{/Control}');
    await expect.element(findHeading('No recordings in this view')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectTexts(titles, ['Of Tashi', 'Of Ani']);
  });
});
