import type { Page } from '@playwright/test';
import { join } from 'node:path';
import { clearInbox } from './inbox.ts';
import { TEACHER_CREDENTIALS, expect, test, type Student, type World } from './fixtures.ts';
import { MICROPHONE_HERTZ } from './microphone.ts';
import { getCentsBetween, getMedian, measurePitchTrack, readWav, PITCH_WINDOWS_PER_SECOND } from './sound.ts';
import { waitUntilRecorded } from './takes.ts';

test.use({ sharesWorld: true });

const sample = (name: string) => join(import.meta.dirname, '../src/testing/audio', name);

test('a student learns a melody, sends a recording and receives feedback', async ({ signedIn, world }) => {
  await clearInbox(world);
  const title = 'Refuge and Bodhicitta';
  const teacherPage = await signedIn(TEACHER_CREDENTIALS);

  await test.step('the teacher adds a melody with audio', async () => {
    await teacherPage.goto('/');
    await teacherPage.getByRole('link', { name: 'Add Melody' }).click();
    await expect(teacherPage.getByRole('heading', { name: 'Add New Melody' })).toBeVisible();
    await teacherPage.getByLabel('Title').fill(title);
    await teacherPage.getByRole('button', { name: 'Description, picture and video' }).click();
    await teacherPage.getByLabel('Description').fill('For the opening of practice.');
    await teacherPage.getByLabel('Melody text').fill('SANGYE CHÖ DANG TSOK KYI CHOK NAM LA');
    await teacherPage.getByLabel('Transmission level').selectOption({ label: 'Refuge' });
    await teacherPage.locator('input[type=file][accept*=mp3]').setInputFiles(sample('melody-cbr.mp3'));
    await teacherPage.getByRole('button', { name: 'Add Melody' }).click();
    await expect(teacherPage.getByText('Melody added successfully').first()).toBeVisible();
  });

  const student = await test.step('the teacher creates a student', () => makeStudent(teacherPage));
  await test.step('the teacher grants the student the level of the melody', async () => {
    await teacherPage.getByRole('link', { name: 'User Management' }).click();
    await teacherPage.getByLabel('Search users').fill(student.username);
    // Waits until the search has finished. Otherwise its results could move the row between mouse down and
    // mouse up.
    await expect(teacherPage.getByText('1 user', { exact: true }).first()).toBeVisible();
    await teacherPage.getByRole('link', { name: new RegExp(student.username) }).click();
    const level = teacherPage.getByRole('checkbox', { name: 'Refuge' });
    await level.check();
    await expect(teacherPage.getByText('Access Granted').first()).toBeVisible();
    await expect(level).toBeChecked();
  });

  const browser = await signedIn(student);
  await test.step('the student finds and plays the melody', async () => {
    await browser.goto('/');
    await browser.getByRole('link', { name: 'Explore Melodies' }).click();
    await browser.getByRole('button', { name: 'Refuge', exact: true }).click();
    const card = browser.getByRole('listitem').filter({ hasText: title });
    await expect(card).toContainText('For the opening of practice.');
    await card.getByRole('button', { name: new RegExp(`Play ${title}`) }).click();
    await expect(card.getByRole('button', { name: new RegExp(`Pause ${title}`) })).toBeVisible();
    await expect(card).toContainText(/0:0[1-4]/);
  });

  const recorded = await test.step('the student records a take and submits it', async () => {
    await browser.getByRole('link', { name: 'Submit Recording' }).first().click();
    await browser.getByLabel('Title').fill('My first attempt');
    await browser.getByLabel('Message').fill('Is the second line right?');
    const pressed = Date.now();
    await browser.getByRole('button', { name: 'Start recording' }).click();
    const least = 4;
    await waitUntilRecorded(browser, least);
    await browser.getByRole('button', { name: 'Stop recording' }).click();
    await expect(browser.getByRole('button', { name: 'Record Again' })).toBeVisible();
    const most = (Date.now() - pressed) / 1000;
    await browser.getByRole('button', { name: 'Submit to the teacher' }).click();
    await expect(
      browser.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
    ).toBeVisible();
    return { least, most };
  });

  await test.step('the stored audio has the expected duration and the microphone’s pitches', async () => {
    await expectTheMicrophonesSound(world, student, recorded);
  });

  await test.step('the teacher listens to the recording and sends written and spoken feedback', async () => {
    await teacherPage.goto('/admin');
    await expect(teacherPage.getByRole('navigation', { name: 'Main' })).toContainText(/Admin Inbox\s*1/);
    const card = teacherPage.getByRole('article').filter({ hasText: 'My first attempt' });
    await expect(card).toContainText('Is the second line right?');
    await expectPlayback(teacherPage, card.getByRole('button', { name: /Play / }).first());
    await card.getByLabel('Written feedback').fill('Beautiful breath.\nLet it fall on “kyab”.');
    await card.getByRole('button', { name: 'Record audio response' }).click();
    await waitUntilRecorded(teacherPage, 1);
    await card.getByRole('button', { name: 'Stop recording' }).click();
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(teacherPage.getByText('Feedback sent successfully!').first()).toBeVisible();
    await expect(teacherPage.getByText('All Caught Up')).toBeVisible();
    await teacherPage.getByRole('link', { name: 'Past Feedback' }).first().click();
    await expect(teacherPage.getByRole('article').filter({ hasText: 'My first attempt' })).toContainText(
      'Let it fall',
    );
  });

  await test.step('the student reads and plays the feedback and marks it as integrated', async () => {
    await browser.goto('/');
    await expect(browser.getByRole('link', { name: /View Feedback\s*1/ }).first()).toBeVisible();
    await browser.goto('/feedback');
    const card = browser.getByRole('article').filter({ hasText: 'My first attempt' });
    await expect(card).toContainText('Beautiful breath.');
    await expectPlayback(browser, card.getByRole('button', { name: /Play / }).last());
    await card.getByRole('button', { name: 'Mark as Integrated' }).click();
    await expect(browser.getByText('Feedback marked as integrated').first()).toBeVisible();
    // Ends the undo window by leaving the page.
    await browser.goto('/past-recordings');
    const client = await world.as(student);
    await expect
      .poll(async () => (await client.get('/api/feedback')).body)
      .toMatchObject([{ status: 'integrated' }]);
    await expect(browser.getByRole('article')).toContainText('Reviewed');
  });
});

test('a teacher replies to an uploaded recording with an uploaded file', async ({ signedIn, world }) => {
  const student = await world.student({ firstName: 'Pema', lastName: 'Chödrön' });
  const browser = await signedIn(student);
  await browser.goto('/submit');
  await browser.getByLabel('Title').fill('Sung into the phone');
  await browser.getByRole('tab', { name: 'Upload Audio File' }).click();
  await browser.locator('input[type=file]').setInputFiles(sample('melody.m4a'));
  await browser.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(
    browser.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible();

  const teacherPage = await signedIn(TEACHER_CREDENTIALS);
  await teacherPage.goto('/admin');
  const card = teacherPage.getByRole('article').filter({ hasText: 'Sung into the phone' });
  // Needs a browser that plays AAC, such as Debian's Chromium.
  await expectPlayback(teacherPage, card.getByRole('button', { name: /Play / }).first());
  await card.getByRole('button', { name: 'Upload' }).click();
  await card.locator('input[type=file]').setInputFiles(sample('om-voice.mp3'));
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(teacherPage.getByText('Feedback sent successfully!').first()).toBeVisible();
  await browser.goto('/feedback');
  await expect(browser.getByRole('article')).toHaveCount(1);
});

/** Presses play and waits until audio has actually played. */
async function expectPlayback(page: Page, button: ReturnType<Page['getByRole']>) {
  await page.evaluate(() => {
    const media = HTMLMediaElement.prototype;
    const original = media.play;
    media.play = function (this: HTMLMediaElement) {
      (window as unknown as { lastPlayed: HTMLMediaElement }).lastPlayed = this;
      return original.call(this);
    };
  });
  await button.click();
  await expect
    .poll(() =>
      page.evaluate(
        () => (window as unknown as { lastPlayed?: HTMLMediaElement }).lastPlayed?.currentTime ?? 0,
      ),
    )
    .toBeGreaterThan(0.2);
}

async function makeStudent(teacherPage: Page): Promise<Student> {
  const username = `marianne.${crypto.randomUUID().slice(0, 6)}`;
  await teacherPage.getByRole('link', { name: 'Invite Users' }).click();
  const form = teacherPage.getByRole('region', { name: 'Create User with Credentials' });
  await form.getByLabel('Email').fill(`${username}@example.org`);
  await form.getByLabel('First name').fill('Marianne');
  await form.getByLabel('Last name').fill('Weber');
  await expect(form.getByRole('checkbox', { name: 'Open to All' })).toBeChecked();
  await form.getByRole('button', { name: 'Create User' }).click();
  const password = await form.getByLabel('Password', { exact: true }).inputValue();
  return { id: '', username, email: `${username}@example.org`, password };
}

async function expectTheMicrophonesSound(
  world: World,
  student: Student,
  seconds: { least: number; most: number },
) {
  const client = await world.as(student);
  const [recording] = (await client.get('/api/student/recordings')).body as {
    audioUrl: string;
    duration: number;
  }[];
  const file = await client.get(`/api/files/${recording!.audioUrl}?type=audio`);
  const wav = readWav(file.bytes);
  expect([wav.rate, wav.channels, wav.bits]).toEqual([32_000, 1, 16]);
  // The audio is as long as the recording took, except for moments that a busy machine may skip.
  expect(wav.seconds).toBeGreaterThan(seconds.least - 1);
  expect(wav.seconds).toBeLessThan(seconds.most);
  expect(recording!.duration).toBe(Math.round(wav.seconds));

  const [low = 0, high = 0] = MICROPHONE_HERTZ;
  const track = measurePitchTrack(wav.samples, wav.rate);
  const isHigh = (pitch: number) => pitch > (low + high) / 2;
  // A busy machine may skip a moment of sound, but that does not move the median over all windows of a pitch.
  expect(Math.abs(getCentsBetween(getMedian(track.filter((pitch) => !isHigh(pitch))), low))).toBeLessThan(3);
  expect(Math.abs(getCentsBetween(getMedian(track.filter(isHigh)), high))).toBeLessThan(3);
  const inTune = track.filter((pitch) => Math.abs(getCentsBetween(pitch, isHigh(pitch) ? high : low)) < 10);
  expect(inTune.length / track.length).toBeGreaterThan(0.8);
  // Each pitch lasts a second, so these durations reveal a recording that runs too fast or too slow.
  const turns = track.flatMap((pitch, i) => (i > 0 && isHigh(pitch) !== isHigh(track[i - 1]!) ? [i] : []));
  const lengths = turns.slice(1).map((at, i) => (at - turns[i]!) / PITCH_WINDOWS_PER_SECOND);
  expect(Math.abs(getMedian(lengths.filter((length) => length > 0.2)) - 1)).toBeLessThanOrEqual(0.1);
}
