import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildRecording, buildTeacher } from '#testing/browser/community.ts';
import { breakConnection, getCalls, holdResponses, rejectCalls } from '#testing/browser/fake-api.ts';
import {
  chooseInMoreMenu,
  inboxList,
  sendFeedbackElsewhere,
  getDraftText,
  focusFirstCard,
  findHeading,
  mockHeldReplies,
  mockInbox,
  typeKeys,
  sentRepliesBar,
  getSentFeedback,
  undoButton,
  withdrawRecording,
  changeDraftElsewhere,
} from '#testing/browser/inbox.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { clickInPage, expectCount, expectText, expectTexts, page } from '#testing/browser/screen.ts';
import { MAX_HELD_REPLIES } from '#features/feedback/limits.ts';

const user = buildTeacher();
const openInbox = () => renderPage('/admin', { user });
const form = page.getByRole('form', { name: 'Feedback for several recordings' });
const tick = (title: string) => form.getByRole('checkbox', { name: new RegExp(title) });
const text = form.getByLabelText('Written feedback');
const of = (firstName: string | null) => ({
  student: { firstName, lastName: null, username: (firstName ?? 'karma').toLowerCase() },
});
const getSentReplies = () =>
  getCalls(api.feedback.send).map(({ body }) => [Number(body['recordingId']), body['writtenFeedback']]);

async function sendToAll(words: string, ...titles: string[]) {
  await chooseInMoreMenu('Reply to several');
  for (const title of titles) await tick(title).click();
  await text.fill(words);
  await form.getByRole('button', { name: `Send feedback on ${titles.length} recordings` }).click();
  await expectText(sentRepliesBar, `Feedback sent successfully!On ${titles.length} recordings`);
}

async function answerOpenCard(words: string) {
  await page.getByRole('article').getByLabelText('Written feedback').fill(words);
  await typeKeys('{Control>}{Enter}{/Control}');
}

test('a bulk reply can be written, sent and undone by keyboard', async () => {
  const [first, second, third, begun] = [
    buildRecording('First', of('Pema')),
    buildRecording('Second', of('Ani')),
    buildRecording('Third', of(null)),
    buildRecording('Begun', of('Lobsang')),
  ];
  mockInbox(first, second, third, begun);
  changeDraftElsewhere(begun, 'For him alone');
  mockHeldReplies();
  await openInbox();
  await focusFirstCard('First');
  await typeKeys('x');
  await expect.element(tick('First')).toHaveFocus();
  await expect.element(tick('First')).toBeChecked();
  await expect.element(tick('Begun')).toBeDisabled();
  await typeKeys('{Control>}{Enter}{/Control}');
  await expectText(form, 'Please write your feedback.');
  await tick('First').click();
  await typeKeys('{Control>}{Enter}{/Control}');
  await expectText(form.getByRole('alert'), 'Please choose at least one recording.');
  for (const title of ['First', 'Third']) await tick(title).click();
  await text.fill('Thank you, {name}.');
  await expectAccessibleWithoutOverflow('one answer for several');
  await text.click();
  await typeKeys('{Control>}{Enter}{/Control}');
  await expect.element(findHeading('Second')).toHaveFocus();
  await expectText(sentRepliesBar, 'On 2 recordings');
  expect(getSentReplies()).toEqual([
    [first.id, 'Thank you, Pema.'],
    [third.id, 'Thank you, karma.'],
  ]);
  await expectTexts(inboxList.getByRole('link'), [/Second/, /Begun/]);

  await typeKeys('z');
  await expect.element(text).toHaveValue('Thank you, {name}.');
  await expect.element(tick('First')).toBeChecked();
  await expect.element(tick('Second')).not.toBeChecked();
  await expect.element(tick('Third')).toBeChecked();
  await expectCount(sentRepliesBar, 0);
  expect([getDraftText(first), getDraftText(third), getDraftText(begun)]).toEqual([
    undefined,
    undefined,
    'For him alone',
  ]);
  await form.getByRole('button', { name: 'Send feedback on 2 recordings' }).click();
  await expectText(sentRepliesBar, 'On 2 recordings');
});

test('undoing a bulk reply reports released replies and selects the other recordings', async () => {
  const [first, second] = [buildRecording('First'), buildRecording('Second')];
  mockInbox(first, second);
  mockHeldReplies();
  await openInbox();
  await sendToAll('Thank you.', 'First', 'Second');
  sendFeedbackElsewhere(second, 'Thank you.');
  rejectCalls(api.feedback.takeBack, 404, { message: 'This feedback has already been sent.', times: 1 });
  await undoButton.click();
  await expectText(page.getByRole('alert'), 'Undo didn’t work. This feedback has already been sent.');
  await expect.element(tick('First')).toBeChecked();
  await expectCount(tick('Second'), 0);
  await expect.element(text).toHaveValue('Thank you.');
});

test('replies sent separately after undoing a bulk reply are undone separately', async () => {
  const [first, second] = [buildRecording('First'), buildRecording('Second')];
  mockInbox(first, second);
  mockHeldReplies();
  await openInbox();
  await sendToAll('Thank you.', 'First', 'Second');
  await undoButton.click();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await answerOpenCard('Of the one alone.');
  await expectText(sentRepliesBar, 'sent successfully!To');
  await answerOpenCard('Of the other alone.');
  await expectCount(page.getByRole('article'), 0);
  await expectText(sentRepliesBar, 'sent successfully!To');
  await undoButton.click();
  await expect
    .poll(() => [getDraftText(first), getDraftText(second)].filter(Boolean))
    .toEqual(['Of the other alone.']);
});

test('replies undone while another bulk reply is being written become drafts', async () => {
  const [first, second, third, fourth] = [
    buildRecording('First', of('Pema')),
    buildRecording('Second', of('Ani')),
    buildRecording('Third', of('Lobsang')),
    buildRecording('Fourth'),
  ];
  mockInbox(first, second, third, fourth);
  mockHeldReplies();
  await openInbox();
  await sendToAll('Thank you, {name}.', 'First', 'Second');
  await answerOpenCard('For him.');
  await expectText(sentRepliesBar, 'To lobsang');
  await undoButton.click();
  await expectText(sentRepliesBar, 'On 2 recordings');
  expect(getDraftText(third)).toBe('For him.');
  await chooseInMoreMenu('Reply to several');
  await text.fill('Another');
  await undoButton.click();
  await expectCount(sentRepliesBar, 0);
  expect([getDraftText(first), getDraftText(second)]).toEqual(['Thank you, Pema.', 'Thank you, Ani.']);
  await expect.element(text).toHaveValue('Another');
  await expect.element(tick('First')).toBeDisabled();
});

test('after a bulk reply, failures are explained and replies to retry stay selected', async () => {
  const [first, second, third, fourth] = ['First', 'Second', 'Third', 'Fourth'].map((title) =>
    buildRecording(title),
  ) as [ReturnType<typeof buildRecording>, ...ReturnType<typeof buildRecording>[]];
  mockInbox(first, second!, third!, fourth!);
  await openInbox();
  await chooseInMoreMenu('Reply to several');
  for (const title of ['First', 'Second', 'Third']) await tick(title).click();
  await text.fill('Thank you.');
  sendFeedbackElsewhere(first, 'By another');
  withdrawRecording(second!);
  await form.getByRole('button', { name: 'Send feedback on 3 recordings' }).click();
  await expectText(form.getByRole('alert'), 'Feedback on 2 recordings couldn’t be sent.');
  await expectText(form, 'This recording already has feedback.');
  await expectText(form, 'The student took it back.');
  await expectCount(tick('Third'), 0);
  expect(getSentFeedback().map(({ writtenFeedback }) => writtenFeedback)).toEqual([
    'By another',
    'Thank you.',
  ]);

  // Replies that can be sent again stay selected, and nothing is sent twice.
  await tick('Fourth').click();
  const mend = breakConnection(api.feedback.send);
  await form.getByRole('button', { name: 'Send feedback on 1 recording' }).click();
  await expectText(form, 'The connection was lost.');
  await expect.element(tick('Fourth')).toBeChecked();
  await reloadPage();
  await chooseInMoreMenu('Reply to several');
  await expect.element(text).toHaveValue('Thank you.');
  mend();
  await tick('Fourth').click();
  await form.getByRole('button', { name: 'Send feedback on 1 recording' }).click();
  await expect.element(findHeading('All Caught Up')).toBeVisible();
});

test('limits the number of recordings in a bulk reply and locks them while sending', async () => {
  mockInbox(...Array.from({ length: MAX_HELD_REPLIES + 1 }, (_, i) => buildRecording(`Song ${i + 1} of`)));
  mockHeldReplies();
  await openInbox();
  await chooseInMoreMenu('Reply to several');
  for (let i = 1; i <= MAX_HELD_REPLIES; i += 1) await clickInPage(tick(`Song ${i} of`));
  await expect.element(tick(`Song ${MAX_HELD_REPLIES + 1} of`)).toBeDisabled();
  await expectText(form, `You can choose up to ${MAX_HELD_REPLIES} recordings at a time`);
  await text.fill('Thank you.');
  const release = holdResponses(api.feedback.send);
  await form.getByRole('button', { name: `Send feedback on ${MAX_HELD_REPLIES} recordings` }).click();
  await expectText(form, `0 of ${MAX_HELD_REPLIES} sent`);
  await expect.element(tick('Song 1 of')).toBeDisabled();
  release();
  await expectText(sentRepliesBar, `On ${MAX_HELD_REPLIES} recordings`);
  expect(getSentReplies()).toHaveLength(MAX_HELD_REPLIES);
});
