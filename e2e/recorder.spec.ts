import type { Page } from '@playwright/test';
import { audioFile } from '../src/testing/audio-expectations.ts';
import { tone } from '../src/testing/tone.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { expect, test, type Student, type World } from './fixtures.ts';
import { addMelody } from './player.ts';

const start = (page: Page) => page.getByRole('button', { name: 'Start recording' }).click();
const stop = (page: Page) => page.getByRole('button', { name: 'Stop recording' }).click();
const isRecording = (page: Page) => expect(page.getByText(/^Recording · /)).toBeVisible();
const PHONE = { width: 390, height: 844 };
const LONG_TEXT = Array.from(
  { length: 30 },
  (_, verse) => `[bo] ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nOm mani padme hum, verse ${verse + 1}\n[tr] A line of its meaning`,
).join('\n\n');

/** A student who has sung a melody once and had an answer. */
async function answered(world: World, student: Student) {
  const { title } = await addMelody(world, { text: LONG_TEXT });
  const client = await world.as(student);
  const melodies = (await client.get('/api/melodies')).body as { id: number; title: string }[];
  const melodyId = melodies.find((each) => each.title === title)!.id;
  const { body: recording } = await client.form('/api/recordings', {
    title,
    melodyId,
    audio: { bytes: tone(12), name: 'song.wav' },
  });
  await world.teacher.form('/api/feedback', {
    recordingId: recording.id as number,
    writtenFeedback: 'Let the last syllable rest longer.',
    marks: JSON.stringify([{ start: 4, end: null, text: 'softer here' }]),
    audioFeedback: { bytes: tone(3), name: 'answer.wav' },
  });
  return { title, melodyId, recordingId: recording.id as number };
}

test('a refused microphone is said in the specified words, and uploading still works', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
  });
  await page.goto('/submit');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Could not access microphone. Please check your browser permissions.',
  );
  await expect(page.getByRole('listitem').filter({ hasText: 'Turn on “Microphone”' })).toBeVisible();
  await expectAccessible(page, 'a refused microphone');
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  await expect(page.locator('input[type=file]')).toBeEnabled();
});

test('on a page that is not secure the recorder says so plainly', async ({ visitor, world }) => {
  const student = await world.student();
  const address = world.url.replace('127.0.0.1', 'songs.test');
  const page = await visitor({ baseURL: address });
  await page.goto('/submit');
  await page.getByLabel('Username').fill(student.username);
  await page.getByLabel('Password', { exact: true }).fill(student.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Submit Recording' })).toBeVisible();
  await expect(page.getByText(/Recording needs a secure address/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start recording' })).toHaveCount(0);
});

test('what is paused is not recorded, and a new take replaces the old one', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  const pressed = Date.now();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_500);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused. Nothing is being recorded.').first()).toBeVisible();
  const paused = Date.now();
  await page.waitForTimeout(3_000);
  const pause = Date.now() - paused;
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  const length = page.getByRole('group', { name: 'Your recording' }).getByText(/^0:00 \/ 0:\d\d$/);
  await expect(length).toBeVisible();
  const first = await length.textContent();
  const seconds = Number(first!.slice(-2));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(Math.round((Date.now() - pressed - pause) / 1000));
  await page.getByRole('button', { name: 'Record Again' }).click();
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
  // It is the recorder's first state again, with nothing to submit, and yet nothing is gone.
  await page.getByLabel('Title').fill('Sung again');
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByText(/^Your recording is set aside\. Record again/).first()).toBeVisible();
  await expect(page.getByText('Please record or upload an audio file.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Keep the recording I have' }).click();
  await expect(length).toHaveText(first!);
  // A microphone that is refused meanwhile costs nothing.
  await page.evaluate(() => {
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    let isRefused = true;
    navigator.mediaDevices.getUserMedia = (constraints) => {
      if (!isRefused) return original(constraints);
      isRefused = false;
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
  await page.getByRole('button', { name: 'Record Again' }).click();
  await start(page);
  await expect(page.getByText('Could not access microphone.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep the recording I have' }).click();
  await expect(length).toHaveText(first!);
  await page.getByRole('button', { name: 'Record Again' }).click();
  await start(page);
  const sung = async () => Number((await page.getByText(/^\d:\d\d$/).textContent())!.slice(-2));
  await expect.poll(sung).toBeGreaterThan(seconds + 1);
  await stop(page);
  await expect(length).not.toHaveText(first!);
  const second = await length.textContent();
  // The former one has given way.
  await page.reload();
  const found = page.getByRole('region', { name: 'A recording was not submitted' });
  await expect(found.getByText(second!)).toBeVisible();
  await found.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(found).toHaveCount(0);
});

test('of a file that this browser cannot play one calm sentence is said', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const noise = {
    name: 'song.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from(`ID3\x04${'\x07'.repeat(9_000)}`),
  };
  await page.locator('input[type=file]').setInputFiles(noise);
  await expect(page.getByText('This browser cannot play this file.')).toHaveCount(1);
  await expect(page.getByText(/Audio Not Available/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Play song.mp3' })).toHaveCount(0);
});

test('an answer that is lost on the way makes no second recording', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/submit');
  await page.getByLabel('Title').fill('On a poor connection');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_200);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  // The answer is lost on the way: the recording is there, and the device can't know.
  let isLost = true;
  await page.route('**/api/recordings', async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  isLost = false;
  await expect(
    page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible({ timeout: 30_000 });
  expect((await (await world.as(student)).get('/api/student/recordings')).body).toHaveLength(1);
});

test('nothing is sent without a title or a recording, nor a file of 10 MB', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  const submit = page.getByRole('button', { name: 'Submit to the teacher' });
  const toast = (title: string) => page.getByRole('region').getByText(title, { exact: true });
  await submit.click();
  await expect(toast('Missing Title')).toBeVisible();
  await expect(page.getByText('Please provide a title for your recording.').first()).toBeVisible();
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByLabel('Title').fill('Only a title');
  await submit.click();
  await expect(toast('Missing Recording')).toBeVisible();
  await expect(page.getByText('Please record or upload an audio file.').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const large = { name: 'large.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(10 * 1024 * 1024) };
  await page.locator('input[type=file]').setInputFiles(large);
  await expect(toast('File Too Large')).toBeVisible();
  await expect(page.getByText('Please select a file smaller than 10MB.').first()).toBeVisible();
});

test('a file that is longer than one can record is taken with a kind note, and its way up is counted', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/submit');
  await page.getByLabel('Title').fill('A whole sadhana');
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const note = page.getByText(/^Practice recordings are usually up to 2 minutes\. Yours is longer/);
  const long = { name: 'long.wav', mimeType: 'audio/wav', buffer: tone(125, 220, 8_000) };
  await page.locator('input[type=file]').setInputFiles(long);
  await expect(note).toBeVisible();
  // One chunk goes through, and the next waits on the connection.
  let isThrough = false;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/uploads/**', async (route) => {
    if (route.request().method() === 'PATCH' && isThrough) await held;
    if (route.request().method() === 'PATCH') isThrough = true;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('button', { name: /^Sending… [1-9]\d? %$/ })).toBeVisible();
  expect(await page.getByRole('progressbar', { name: 'Sent' }).getAttribute('value')).not.toBe('0');
  letGo();
  await expect(page.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
  expect((await (await world.as(student)).get('/api/student/recordings')).body).toMatchObject([
    { duration: 125 },
  ]);
});

test('sound of every kind goes through the form, and what is none is refused by the browser or the server', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  const choose = async (file: string) => {
    await page.goto('/submit');
    await page.getByLabel('Title').fill(file);
    await page.getByRole('tab', { name: 'Upload Audio File' }).click();
    await page.locator('input[type=file]').setInputFiles(audioFile(file));
  };
  const submit = () => page.getByRole('button', { name: 'Submit to the teacher' }).click();
  const kinds = ['melody.opus', 'melody.ogg', 'melody.flac', 'melody.webm', 'melody.aac', 'm4a-named.mp3'];
  for (const file of kinds)
    await test.step(file, async () => {
      await choose(file);
      await expect(page.getByText(file, { exact: true }).first()).toBeVisible();
      await submit();
      await expect(page.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
    });

  await test.step('a film, by the browser', async () => {
    await choose('video.mp4');
    const refusal = page.getByRole('alert').filter({ hasText: 'This file has a moving picture.' });
    await expect(refusal).toBeVisible();
    await expectAccessible(page, 'a file that is not taken');
    await submit();
    await expect(page.getByText('Please record or upload an audio file.').first()).toBeVisible();
  });
  await test.step('a page in the clothes of a WAV, by the server', async () => {
    await choose('riff-html-polyglot.wav');
    await submit();
    await expect(page.getByRole('alert').filter({ hasText: 'This file is damaged' })).toBeVisible();
  });
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  expect((body as { title: string }[]).map(({ title }) => title)).toEqual(kinds.toReversed());
});

test('a message or a title that is too long is kept as it is, said, and not sent', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/submit');
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'song.wav', mimeType: 'audio/wav', buffer: Buffer.from(tone(1)) });
  const [title, message] = [page.getByLabel('Title'), page.getByLabel(/^Message/)];
  await title.fill('t'.repeat(230));
  await message.fill('m'.repeat(5_000));
  await expect(title).toHaveValue('t'.repeat(230));
  await expect(message).toHaveValue('m'.repeat(5_000));
  await expect(page.getByText('30 characters too many: at most 200 can be sent.')).toBeVisible();
  await expect(page.getByText('3,000 characters too many: at most 2,000 can be sent.')).toBeVisible();
  await expectAccessible(page, 'texts that are too long');
  const submit = page.getByRole('button', { name: 'Submit to the teacher' });
  await submit.click();
  await expect(title).toBeFocused();
  await title.fill('A good title');
  await submit.click();
  await expect(message).toBeFocused();
  await expect(message).toHaveAttribute('aria-invalid', 'true');
  await message.fill('m'.repeat(1_950));
  await expect(page.getByText('1,950 of 2,000 characters')).toBeVisible();
  await submit.click();
  await expect(
    page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible();
});

test('one counts in if one likes, can cancel it, and it is remembered', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  await page.getByText('Recording settings').click();
  await expect(page.getByRole('switch', { name: /Voice processing/ })).not.toBeChecked();
  await page.getByRole('switch', { name: /Count in/ }).check();
  await start(page);
  await expect(page.getByText('Get ready. Nothing is being recorded yet.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /Recording begins in [321]/ })).toBeAttached();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Press to record, up to 2 minutes.')).toBeVisible();

  await page.reload();
  await start(page);
  await expect(page.getByText('Get ready. Nothing is being recorded yet.')).toBeVisible();
  await isRecording(page);
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
});

test('voice processing is asked for only where it was switched on', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.addInitScript(() => {
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = (constraints) => {
      (window as unknown as { asked: unknown }).asked = constraints?.audio;
      return original(constraints);
    };
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked: unknown }).asked);
  await page.goto('/submit');
  await start(page);
  await isRecording(page);
  expect(await asked()).toMatchObject({
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: false,
  });
  await page.reload();
  await page.getByText('Recording settings').click();
  await page.getByRole('switch', { name: /Voice processing/ }).check();
  await start(page);
  await isRecording(page);
  expect(await asked()).toMatchObject({
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
  });
});

test('on a phone the words and the recorder are in sight together, also in large letters', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const { melodyId } = await answered(world, student);
  const page = await signedIn(student, { viewport: PHONE });
  await page.addInitScript(() => localStorage.setItem('text-size', 'larger'));
  await page.goto(`/submit?melody=${melodyId}`);
  await start(page);
  await isRecording(page);
  const words = page.getByRole('region', { name: /^Words of/ });
  await expect(words.getByText('Om mani padme hum, verse 1', { exact: true })).toBeInViewport();
  for (const [verse, scroll] of [
    [1, 0],
    [12, 1],
    [30, 1],
  ] as const) {
    const line = words.getByText(`Om mani padme hum, verse ${verse}`, { exact: true });
    if (scroll) await line.scrollIntoViewIfNeeded();
    await expect(line).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Stop recording' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Pause' })).toBeInViewport({ ratio: 1 });
  }
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeInViewport();
});

test('who practises again has what the teacher said beside the recorder, and knows which attempt it is', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const { melodyId, recordingId } = await answered(world, student);
  // Further back than one answer of a list holds.
  await world.sql(
    `with sung as (
       insert into recordings (student_id, title, audio_url, duration, status, created_at)
       select student_id, 'Number ' || n, audio_url, duration, 'reviewed', now() - interval '2 days'
       from recordings, generate_series(1, 205) as n where id = $1 returning id
     )
     insert into feedback (recording_id, admin_id, written_feedback, status)
     select sung.id, teacher.id, 'Well sung.', 'read'
     from sung, (select id from users where role = 'admin' limit 1) as teacher`,
    [recordingId],
  );
  const page = await signedIn(student);
  await page.goto(`/submit?melody=${melodyId}&after-recording=${recordingId}`);
  await expect(page.getByText('Second attempt at this melody')).toBeVisible();
  await expect(page.getByText('Let the last syllable rest longer.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Marks' })).toContainText('softer here');
  await expect(page.getByRole('group', { name: 'Audio response' })).toBeVisible();
  await page.getByText('What Khandro-la said').click();
  await expect(page.getByText('Let the last syllable rest longer.')).toBeHidden();

  // Another student's is nothing at all.
  const other = await signedIn(await world.student());
  await other.goto(`/submit?melody=${melodyId}&after-recording=${recordingId}`);
  await expect(other.getByLabel('Melody')).toHaveValue(String(melodyId));
  await expect(other.getByText('What Khandro-la said')).toHaveCount(0);
  await expect(other.getByText(/attempt at this melody/)).toHaveCount(0);
});

test('a file that is surely no sound is refused before anything is sent, and one may drop another', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  await page.goto('/submit');
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const picture = {
    name: 'song.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'),
  };
  await page.locator('input[type=file]').setInputFiles(picture);
  await expect(
    page.getByRole('alert').filter({ hasText: 'This file is a picture, not a sound.' }),
  ).toBeVisible();
  expect(sent).toEqual([]);

  const sound = await page.evaluateHandle(
    (bytes) => {
      const given = new DataTransfer();
      given.items.add(new File([new Uint8Array(bytes)], 'dropped.wav', { type: 'audio/wav' }));
      return given;
    },
    [...tone(1)],
  );
  // Beside the field it must not be opened in place of the page.
  await page
    .getByRole('heading', { name: 'Submit Recording', level: 1 })
    .dispatchEvent('drop', { dataTransfer: sound });
  await page.getByText('Choose a file').dispatchEvent('drop', { dataTransfer: sound });
  await expect(page.getByText('dropped.wav', { exact: true })).toBeVisible();
  await page.getByLabel('Title').fill('Dropped');
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(
    page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible();
});

test('who submits a file at once, while it is still looked at, submits it, or is told of the file alone', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.addInitScript(() => {
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = async function (this: Blob) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return arrayBuffer.call(this);
    };
  });
  await page.goto('/submit');
  await page.getByLabel('Title').fill('In a hurry');
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const submit = page.getByRole('button', { name: 'Submit to the teacher' });

  await page.locator('input[type=file]').setInputFiles({
    name: 'song.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('A letter, not a song.'),
  });
  await submit.press('Enter');
  await expect(page.getByText('File Not Taken').first()).toBeVisible();
  await expect(submit).toBeEnabled();
  await expect(page.getByText('Please record or upload an audio file.')).toHaveCount(0);

  await page.locator('input[type=file]').setInputFiles(audioFile('melody.ogg'));
  await submit.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  expect(body).toMatchObject([{ title: 'In a hurry' }]);
});

for (const theme of ['light', 'dark'] as const) {
  for (const width of [320, 1440]) {
    test(`every state of the recorder is accessible (${theme}, ${width})`, async ({ signedIn, world }) => {
      const student = await world.student();
      const { melodyId, recordingId } = await answered(world, student);
      const page = await signedIn(student, { viewport: { width, height: 800 } });
      await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
      await page.goto(`/submit?melody=${melodyId}&after-recording=${recordingId}`);
      const looksWell = async (what: string) => {
        await expectAccessible(page, what);
        await expectNoSidewaysScroll(page, what);
      };
      await page.getByText('Recording settings').click();
      await page.getByRole('switch', { name: /Count in/ }).check();
      await looksWell('idle, with its settings');
      await start(page);
      await expect(page.getByText('Get ready. Nothing is being recorded yet.')).toBeVisible();
      await looksWell('counting in');
      await isRecording(page);
      await looksWell('recording');
      await page.getByRole('button', { name: 'Pause' }).click();
      await looksWell('paused');
      await stop(page);
      await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
      await looksWell('recorded');
      await page.reload();
      await expect(page.getByRole('region', { name: 'A recording was not submitted' })).toBeVisible();
      await looksWell('a recording that was found');
      await page.getByRole('button', { name: 'Use this recording' }).click();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Submit to the teacher' }).click();
      await expect(
        page.getByRole('heading', { name: 'Your recording is safe on this device' }),
      ).toBeVisible();
      await looksWell('waiting for a connection');
      await page.getByRole('button', { name: 'Record Another' }).click();
      await expect(page.getByRole('region', { name: 'On its way to the teacher' })).toBeVisible();
      await looksWell('on its way');
    });
  }
}
