import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { aMelody, aRecording, aStudent, aTeacher, library, type Me } from '#testing/browser/community.ts';
import { answer, breakConnection, callsOf, hold, refuse } from '#testing/browser/fake-api.ts';
import {
  cardOf,
  draftOf,
  focusFirstCard,
  heading,
  holdReplies,
  inboxOf,
  inboxList,
  keys,
  rowOf,
  sentBar,
  undoButton,
} from '#testing/browser/inbox.ts';
import { expectFineEverywhere } from '#testing/browser/look.ts';
import { reload, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, expectTexts, page, toast } from '#testing/browser/screen.ts';
import { chooseSound, soundsOnDevice } from '#testing/browser/spoken.ts';
import { takeUploads } from '#testing/browser/uploads.ts';

/** A new user for each test, because the device stores data per user. */
let user: Me;
beforeEach(() => {
  user = aTeacher();
});
const openInbox = () => renderPage('/admin', { user });
const words = (title: string) => cardOf(title).getByLabelText('Written feedback');

describe('during the undo window', () => {
  test('a sent reply can be undone by keyboard and sent again', async () => {
    inboxOf(aRecording('First'), aRecording('Second'));
    holdReplies();
    await openInbox();
    await focusFirstCard('First');
    await keys('wToo early{Control>}{Enter}{/Control}');
    await expect.element(heading('Second')).toHaveFocus();
    await expectText(sentBar, 'Feedback sent successfully!To Tashi Dolma');
    await expectCount(toast, 0);
    await expectCount(cardOf('First'), 0);
    await expectText(page.getByRole('main'), '1 waiting, oldest first');
    await expectFineEverywhere('a reply that can be undone');

    await keys('z');
    await expect.element(words('First')).toHaveFocus();
    await expect.element(words('First')).toHaveValue('Too early');
    await expectCount(page.getByText(/sent successfully/), 0);
    await expectTexts(inboxList.getByRole('link'), [/First/, /Second/]);
    await keys('{End}, no longer{Control>}{Enter}{/Control}');
    await expect.element(sentBar).toBeVisible();
    expect(callsOf(api.feedback.send).map(({ body }) => body)).toMatchObject([
      { writtenFeedback: 'Too early', holdSeconds: '10' },
      { writtenFeedback: 'Too early, no longer', holdSeconds: '10' },
    ]);
  });

  test('is undone while the cursor is in the next text', async () => {
    inboxOf(aRecording('First'), aRecording('Second'));
    holdReplies();
    await openInbox();
    await focusFirstCard('First');
    await keys('wToo early{Control>}{Enter}{/Control}');
    await expect.element(heading('Second')).toHaveFocus();
    await keys('wza');
    await expect.element(words('Second')).toHaveValue('za');
    await keys('{Alt>}z{/Alt}');
    await expect.element(words('First')).toHaveFocus();
    await expect.element(words('First')).toHaveValue('Too early');
    await rowOf('Second').getByRole('button', { name: 'Written feedback za' }).click();
    await expect.element(words('Second')).toHaveValue('za');
  });

  test('retrying an undo after a lost call keeps the sound on the device once', async () => {
    inboxOf(aRecording('First'));
    holdReplies();
    takeUploads();
    await openInbox();
    await chooseSound(cardOf('First'), 'reply.wav', 1);
    await cardOf('First').getByRole('button', { name: 'Send Feedback' }).click();
    await expect.element(undoButton).toBeVisible();
    breakConnection(api.feedback.takeBack, { times: 1 });
    await undoButton.click();
    await expectText(page.getByRole('alert'), 'Undo didn’t work.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(cardOf('First').getByText(/^You chose this file earlier/)).toBeVisible();
    expect(await soundsOnDevice(user)).toHaveLength(1);
  });

  test('a reload does not flash the answered card, and a late undo reports its failure', async () => {
    const first = aRecording('First');
    inboxOf(first, aRecording('Second'));
    const letOut = holdReplies();
    await openInbox();
    await focusFirstCard('First');
    await keys('wToo early{Control>}{Enter}{/Control}');
    await expect.element(heading('Second')).toHaveFocus();
    const letGo = hold(api.feedback.held);
    const cards = new Set<string | null>();
    const watching = new MutationObserver(() => {
      for (const card of document.querySelectorAll('article h2, article h3')) cards.add(card.textContent);
    });
    watching.observe(document.body, { subtree: true, childList: true });
    await reload();
    await expect.poll(() => callsOf(api.recordings.pendingForInbox).length).toBeGreaterThan(1);
    letGo();
    await expect.element(heading('Second')).toBeVisible();
    await expect.element(sentBar).toBeVisible();
    watching.disconnect();
    expect([...cards]).toEqual(['Second']);

    letOut();
    await undoButton.click();
    await expectText(page.getByRole('alert'), 'Undo didn’t work. This feedback has already been sent.');
    await expectCount(cardOf('First'), 0);
    expect(draftOf(first)).toBeUndefined();
    await page.getByRole('button', { name: 'Close' }).click();
    await expectCount(page.getByRole('alert'), 0);
  });
});

describe('choosing what the inbox shows', () => {
  test('a recording is snoozed until a day by keyboard, and brought back', async () => {
    const [first, second] = [aRecording('First'), aRecording('Second')];
    inboxOf(first, second);
    let aside: { recordingId: number; until: Date }[] = [];
    answer(api.feedback.aside, () => aside);
    answer(api.feedback.putAside, ({ path, body }) => {
      const recordingId = Number(/\d+/.exec(path));
      const { until } = body as { until: string | null };
      aside = until === null ? [] : [{ recordingId, until: new Date(until) }];
      return { message: 'Snoozed' };
    });
    await openInbox();
    await focusFirstCard('First');
    await keys('a');
    const dialog = page.getByRole('dialog', { name: 'Snooze until' });
    await expect.element(dialog).toBeVisible();
    await expectFineEverywhere('the snooze dialog');
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await expectText(dialog, 'Please choose a day within the next year.');
    await dialog.getByRole('button', { name: 'In three days' }).click();
    await expect.element(heading('Second')).toHaveFocus();
    await expectCount(cardOf('First'), 0);
    await expectText(page.getByRole('main'), '2 waiting, oldest first; 1 snoozed');
    const days = (aside[0]!.until.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2);
    expect(days).toBeLessThanOrEqual(3);

    await reload();
    await expect.element(cardOf('Second')).toBeVisible();
    await expectCount(cardOf('First'), 0);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('checkbox', { name: 'Include snoozed (1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await rowOf('First').getByRole('button', { name: 'Written feedback' }).click();
    await cardOf('First').getByRole('button', { name: 'Snooze' }).click();
    await dialog.getByRole('button', { name: 'Bring back now' }).click();
    await expectText(page.getByRole('main'), '2 waiting, oldest first');
    expect(aside).toEqual([]);
  });

  test('snoozing can be undone', async () => {
    const second = aRecording('Second');
    inboxOf(aRecording('First'), second);
    answer(api.feedback.putAside, { message: 'Snoozed' });
    await openInbox();
    await focusFirstCard('First');
    await keys('ja');
    await page.getByRole('button', { name: 'Tomorrow' }).click();
    await expect.element(heading('First')).toHaveFocus();
    const bar = page.getByRole('region', { name: 'Snoozed just now' });
    await expectText(bar, /^Snoozed until .*Tashi Dolma/);
    await bar.getByRole('button', { name: 'Undo' }).click();
    await expect.element(heading('Second')).toHaveFocus();
    await expectCount(bar, 0);
    expect(callsOf(api.feedback.putAside).at(-1)).toMatchObject({
      path: `/api/admin/recordings/${second.id}/put-aside`,
      body: { until: null },
    });
  });

  test('a recording that cannot be snoozed stays, with an error message', async () => {
    inboxOf(aRecording('First'));
    refuse(api.feedback.putAside, 404, { message: 'This recording no longer exists.' });
    await openInbox();
    await focusFirstCard('First');
    await keys('a');
    await page.getByRole('button', { name: 'Tomorrow' }).click();
    await expect.element(page.getByText('Couldn’t snooze this recording.')).toBeVisible();
    await expect.element(cardOf('First')).toBeVisible();
  });

  test('recordings are grouped, and filtered by student and melody', async () => {
    const refuge = aMelody('Refuge');
    const ani = aStudent({ username: 'ani', firstName: 'Ani', lastName: 'Lhamo' });
    library([refuge]);
    inboxOf(
      aRecording('Of Tashi', { melodyId: refuge.id }),
      aRecording('Of Ani', { student: ani }),
      aRecording('Of Tashi again'),
    );
    await openInbox();
    const titles = inboxList.getByRole('link').css('span > span:nth-child(3)');
    await page.getByRole('button', { name: 'Filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter' });
    await dialog.getByLabelText('Group by').selectOptions('Student');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectTexts(titles, ['Of Ani', 'Of Tashi', 'Of Tashi again']);
    await expect.element(page.getByText('Ani Lhamo', { exact: true }).first()).toBeVisible();
    await expectFineEverywhere('a grouped inbox');

    await page.getByRole('button', { name: 'Filter' }).click();
    await dialog.getByLabelText('Student').selectOptions('Tashi Dolma');
    await dialog.getByLabelText('Melody').selectOptions('No melody');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectTexts(titles, ['Of Tashi again']);
    await expect.element(page.getByRole('button', { name: 'Tashi Dolma, No melody' })).toBeVisible();
    await focusFirstCard('Of Tashi again');
    await keys('wWell sung{Control>}{Enter}{/Control}');
    await expect.element(heading('No recordings in this view')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectTexts(titles, ['Of Tashi', 'Of Ani']);
  });
});
