import { afterEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildStudent,
  mockLibrary,
  fetchToneFile,
} from '#testing/browser/community.ts';
import { mockEndpoint, breakConnection, getCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { page } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  dispatchOnlineEvent,
  abandonedTakeOffer,
  expectRecordingInProgress,
  expectSubmitted,
  openSubmitPage,
  recordTake,
  pressRecord,
  submitButton,
  listTakes,
  titleField,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { stopSendingTakes } from '#features/recordings/web/take-sending.ts';

const melodyField = page.getByLabelText('Melody');
const message = page.getByLabelText('Message');

// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);

test('text typed after recording is stored with the recording and restored', async () => {
  const user = buildStudent();
  const melody = buildMelody('Chosen late');
  mockLibrary([buildMelody('Another'), melody]);
  await openSubmitPage('/submit', user);
  await recordTake();
  await titleField.fill('My own name for it');
  await melodyField.selectOptions(String(melody.id));
  await expect.element(titleField).toHaveValue('My own name for it');
  await expect
    .poll(() => listTakes(user))
    .toMatchObject([{ sending: { title: 'My own name for it', melodyId: melody.id } }]);
  // Clears local storage, as a browser may do.
  localStorage.clear();
  await openSubmitPage(`/submit?melody=${melody.id}`, user);
  await expect.element(abandonedTakeOffer).toBeVisible();
  await message.fill('Written before the recording was found');
  await openSubmitPage('/submit', user);
  await abandonedTakeOffer.getByRole('button', { name: 'Use this recording' }).click();
  await expect.element(titleField).toHaveValue('My own name for it');
  await expect.element(message).toHaveValue('Written before the recording was found');
  await expect.element(melodyField).toHaveValue(String(melody.id));
});

test('links a recording to its melody even if the library fails to load', async () => {
  const melody = buildMelody('Far from any network');
  const path = `/submit?melody=${melody.id}`;
  const isMissing = () => expect.element(page.getByText(/^We couldn’t load the library\./)).toBeVisible();
  mockUploads();
  breakConnection(api.melodies.list);
  await openSubmitPage(path);
  await isMissing();
  await expect.element(melodyField).toHaveValue(String(melody.id));
  await titleField.fill('In the hut');
  await chooseAudioFile(await fetchToneFile('song.wav', 1));
  await submitButton.click();
  await expectSubmitted();
  expect(getCalls(api.recordings.submit).map(({ body }) => [body['title'], body['melodyId']])).toEqual([
    ['In the hut', String(melody.id)],
  ]);

  await openSubmitPage(path);
  await isMissing();
  mockLibrary([melody]);
  dispatchOnlineEvent();
  await expect.element(titleField).toHaveValue('Far from any network');
});

test('loads the words when a melody is chosen, and retries after reconnecting', async () => {
  const melody = buildMelody('Refuge', { melodyText: 'Sangye chö dang' });
  mockLibrary([melody, buildMelody('Long', { melodyText: 'om '.repeat(70_000) })]);
  await openSubmitPage('/submit');
  await melodyField.selectOptions(String(melody.id));
  await expect.element(page.getByText('Sangye chö dang')).toBeVisible();

  breakConnection(api.melodies.one);
  await openSubmitPage(`/submit?melody=${melody.id}`);
  const failure = page.getByText('We couldn’t load the words. You can still record.');
  await expect.element(failure).toBeVisible();
  mockLibrary([melody, buildMelody('Long', { melodyText: 'om '.repeat(70_000) })]);
  dispatchOnlineEvent();
  await expect.element(page.getByText('Sangye chö dang')).toBeVisible();
});

test('does not show text that was typed for another melody', async () => {
  const user = buildStudent();
  const [one, other] = [buildMelody('One'), buildMelody('Other')];
  mockLibrary([one, other]);
  await openSubmitPage(`/submit?melody=${one.id}`, user);
  await expect.element(titleField).toHaveValue('One');
  await titleField.fill('One, very slowly');
  await message.fill('About the first');
  await openSubmitPage(`/submit?melody=${other.id}`, user);
  await expect.element(titleField).toHaveValue('Other');
  await expect.element(message).toHaveValue('');
  await openSubmitPage(`/submit?melody=${one.id}`, user);
  await expect.element(titleField).toHaveValue('One, very slowly');
  await expect.element(message).toHaveValue('About the first');
});

test('“Practice Again” on a past recording shows the previous feedback', async () => {
  const user = buildStudent();
  const words = Array.from({ length: 30 }, (_, line) => `sangye chö dang ${line}`).join('\n');
  const melody = buildMelody('Again and again', { melodyText: words });
  mockLibrary([melody]);
  const sung = { melodyId: melody.id, duration: 3 };
  const first = buildRecording('First', { ...sung, attempt: 1, status: 'reviewed' });
  mockEndpoint(api.recordings.mine, [buildRecording('Second', { ...sung, attempt: 2 }), first]);
  mockEndpoint(api.recordings.countMine, { count: 2 });
  const writtenFeedback = 'Let the second breath come earlier.';
  const feedback = buildFeedback(first, { writtenFeedback });
  mockEndpoint(api.feedback.mine, [feedback]);
  mockEndpoint(api.feedback.latest, { feedback });
  await page.viewport(390, 844);
  for (const name of ['First', 'Second']) {
    await renderPage('/past-recordings', { user });
    const card = page.getByRole('article', { name, exact: true });
    await card.getByRole('link', { name: 'Practice Again' }).click();
    await expect.element(melodyField).toHaveValue(String(melody.id));
    await expect.element(page.getByRole('heading', { name: /^Khandro-la’s feedback$/ })).toBeVisible();
    await expect.element(page.getByText(writtenFeedback)).toBeVisible();
  }
  await pressRecord();
  await expectRecordingInProgress();
  for (const text of [writtenFeedback, 'sangye chö dang 0']) {
    const element = page.getByText(text).element();
    await expect
      .poll(() => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2);
      })
      .toBe(element);
  }
});
