import { afterEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { aFeedback, aMelody, aRecording, aStudent, library, soundFile } from '#testing/browser/community.ts';
import { answer, breakConnection, callsOf } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { page } from '#testing/browser/screen.ts';
import {
  choose,
  comeOnline,
  found,
  isRecording,
  isSubmitted,
  open,
  record,
  start,
  submit,
  takesOf,
  title,
} from '#testing/browser/submit-page.ts';
import { takeUploads } from '#testing/browser/uploads.ts';
import { stopSending } from '#features/recordings/web/sending.ts';

const melodyField = page.getByLabelText('Melody');
const message = page.getByLabelText('Message');

// Stops sending, as closing the tab does.
afterEach(stopSending);

test('keeps what is typed after recording with the recording', async () => {
  const user = aStudent();
  const melody = aMelody('Chosen late');
  library([aMelody('Another'), melody]);
  await open('/submit', user);
  await record();
  await title.fill('My own name for it');
  await melodyField.selectOptions(String(melody.id));
  await expect.element(title).toHaveValue('My own name for it');
  await expect
    .poll(() => takesOf(user))
    .toMatchObject([{ sending: { title: 'My own name for it', melodyId: melody.id } }]);
  // Clear local storage, as a browser may do.
  localStorage.clear();
  await open(`/submit?melody=${melody.id}`, user);
  await expect.element(found).toBeVisible();
  await message.fill('Written before the recording was found');
  await open('/submit', user);
  await found.getByRole('button', { name: 'Use this recording' }).click();
  await expect.element(title).toHaveValue('My own name for it');
  await expect.element(message).toHaveValue('Written before the recording was found');
  await expect.element(melodyField).toHaveValue(String(melody.id));
});

test('links a recording to its melody without a connection', async () => {
  const melody = aMelody('Far from any network');
  const path = `/submit?melody=${melody.id}`;
  const isMissing = () => expect.element(page.getByText(/^We couldn’t load the library\./)).toBeVisible();
  takeUploads();
  breakConnection(api.melodies.list);
  await open(path);
  await isMissing();
  await expect.element(melodyField).toHaveValue(String(melody.id));
  await title.fill('In the hut');
  await choose(await soundFile('song.wav', 1));
  await submit.click();
  await isSubmitted();
  expect(callsOf(api.recordings.submit).map(({ body }) => [body['title'], body['melodyId']])).toEqual([
    ['In the hut', String(melody.id)],
  ]);

  await open(path);
  await isMissing();
  library([melody]);
  comeOnline();
  await expect.element(title).toHaveValue('Far from any network');
});

test('loads the words once their melody is chosen, also after reconnecting', async () => {
  const melody = aMelody('Refuge', { melodyText: 'Sangye chö dang' });
  library([melody, aMelody('Long', { melodyText: 'om '.repeat(70_000) })]);
  await open('/submit');
  await melodyField.selectOptions(String(melody.id));
  await expect.element(page.getByText('Sangye chö dang')).toBeVisible();

  breakConnection(api.melodies.one);
  await open(`/submit?melody=${melody.id}`);
  const failure = page.getByText('We couldn’t load the words. You can still record.');
  await expect.element(failure).toBeVisible();
  library([melody, aMelody('Long', { melodyText: 'om '.repeat(70_000) })]);
  comeOnline();
  await expect.element(page.getByText('Sangye chö dang')).toBeVisible();
});

test('does not show text typed for one melody with another', async () => {
  const user = aStudent();
  const [one, other] = [aMelody('One'), aMelody('Other')];
  library([one, other]);
  await open(`/submit?melody=${one.id}`, user);
  await expect.element(title).toHaveValue('One');
  await title.fill('One, very slowly');
  await message.fill('About the first');
  await open(`/submit?melody=${other.id}`, user);
  await expect.element(title).toHaveValue('Other');
  await expect.element(message).toHaveValue('');
  await open(`/submit?melody=${one.id}`, user);
  await expect.element(title).toHaveValue('One, very slowly');
  await expect.element(message).toHaveValue('About the first');
});

test('practising again from the past recordings shows the feedback', async () => {
  const user = aStudent();
  const words = Array.from({ length: 30 }, (_, line) => `sangye chö dang ${line}`).join('\n');
  const melody = aMelody('Again and again', { melodyText: words });
  library([melody]);
  const sung = { melodyId: melody.id, duration: 3 };
  const first = aRecording('First', { ...sung, attempt: 1, status: 'reviewed' });
  answer(api.recordings.mine, [aRecording('Second', { ...sung, attempt: 2 }), first]);
  answer(api.recordings.countMine, { count: 2 });
  const writtenFeedback = 'Let the second breath come earlier.';
  const feedback = aFeedback(first, { writtenFeedback });
  answer(api.feedback.mine, [feedback]);
  answer(api.feedback.latest, { feedback });
  await page.viewport(390, 844);
  for (const name of ['First', 'Second']) {
    await renderPage('/past-recordings', { user });
    const card = page.getByRole('article', { name, exact: true });
    await card.getByRole('link', { name: 'Practice Again' }).click();
    await expect.element(melodyField).toHaveValue(String(melody.id));
    await expect.element(page.getByRole('heading', { name: /^Khandro-la’s feedback$/ })).toBeVisible();
    await expect.element(page.getByText(writtenFeedback)).toBeVisible();
  }
  await start();
  await isRecording();
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
