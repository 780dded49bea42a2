import { randomUUID } from 'node:crypto';
import { canLaunchFirefox, createFirefoxDevice } from './firefox.ts';
import { expect, test } from './fixtures.ts';
import { addMelodyWithText } from './player.ts';
import { readWav } from './sound.ts';
import { launchWebKit, WEBKIT_UNAVAILABLE_REASON } from './webkit.ts';
import { DIALOG_XPATH } from './xpath.ts';

/** Browsers that Playwright does not drive. They run a short version of the main journey. */
const browsers = [
  { name: 'WebKitGTK, 390 px wide', open: launchWebKit, missing: WEBKIT_UNAVAILABLE_REASON },
  {
    name: 'Firefox',
    async open() {
      const firefox = await createFirefoxDevice();
      await firefox.open('about:blank');
      return firefox;
    },
    missing: canLaunchFirefox ? null : 'there is no Firefox (Debian: apt-get install firefox-esr pulseaudio)',
  },
];

for (const { name, open, missing } of browsers)
  test(`${name}: a student plays a loop, records, and reads feedback`, async ({ world }) => {
    test.skip(missing !== null, `Nothing is said of ${name}: ${missing}.`);
    const student = await world.student();
    const client = await world.as(student);
    const melody = await addMelodyWithText(world, { text: 'namo gurubhya' });
    const title = `Attempt ${randomUUID().slice(0, 8)}`;
    const browser = await open();
    try {
      await test.step('the student signs in', async () => {
        await browser.goto(world.url);
        await browser.fill('Username', student.username);
        await browser.fill('Password', student.password);
        await browser.press('Sign In', '//form');
        await browser.sees('Explore Melodies');
        if (name.includes('390')) expect(await browser.evaluate(() => innerWidth, null)).toBe(390);
      });

      await test.step('the library shows the melody and fits the width of the screen', async () => {
        await browser.goto(`${world.url}/melodies`);
        await browser.sees(melody.title);
        const widths = () => [document.documentElement.scrollWidth, innerWidth];
        const [page, screen] = await browser.evaluate(widths, null);
        expect(page).toBeLessThanOrEqual(screen!);
      });

      await test.step('the student plays the melody in a loop', async () => {
        await browser.goto(`${world.url}/melodies?play=${melody.id}`);
        await browser.press('Play', DIALOG_XPATH);
        await browser.evaluate(waitUntilPlayedTo, 1);
        await browser.press('Set A Point', DIALOG_XPATH);
        await browser.evaluate(waitUntilPlayedTo, 4);
        await browser.press('Set B Point', DIALOG_XPATH);
        // Watches several rounds of the loop, each of which ends with a seek.
        for (let round = 1; round <= 4; round += 1) {
          const { from, to } = await browser.evaluate(waitForJumpBack, null);
          expect(to).toBeGreaterThan(0.5);
          expect(to).toBeLessThan(from - 1);
          // Playback jumps back long before the end of the melody, which lasts 20 s.
          expect(from).toBeLessThan(15);
        }
      });

      await test.step('the student records and submits a take', async () => {
        await browser.goto(`${world.url}/submit`);
        await browser.fill('Title', title);
        await browser.press('Start recording');
        await browser.sees('Recording · 1:55 left');
        await browser.press('Stop recording');
        await browser.sees('Record Again');
        await browser.press('Submit to the teacher');
        await browser.sees('Your recording has been submitted to the teacher!');
      });

      const id = await test.step('the recording arrives once and complete', async () => {
        const { body } = await client.get('/api/student/recordings');
        expect(body).toMatchObject([{ title }]);
        const { bytes } = await client.get(`/api/files/${body[0].audioUrl}?type=audio`);
        const { samples, seconds } = readWav(bytes);
        expect(seconds).toBeGreaterThanOrEqual(4);
        expect(seconds).toBeLessThan(60);
        expect(samples.some((sample) => Math.abs(sample) > 0.01)).toBe(true);
        return body[0].id as number;
      });

      await test.step('the student reads the feedback', async () => {
        const writtenFeedback = 'Let it fall on kyab.';
        const given = await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback });
        expect(given.status).toBe(201);
        await browser.goto(`${world.url}/feedback`);
        await browser.sees(writtenFeedback);
      });
    } finally {
      await browser.end();
    }
  });

// These functions run in the browser, so they can't use anything that is defined outside of them.

async function waitUntilPlayedTo(seconds: number) {
  const audio = document.querySelector<HTMLAudioElement>('[role=dialog] audio')!;
  const last = performance.now() + 25_000;
  while (audio.currentTime < seconds) {
    if (performance.now() > last) throw new Error(`It is at ${audio.currentTime} s still.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function waitForJumpBack() {
  const audio = document.querySelector<HTMLAudioElement>('[role=dialog] audio')!;
  const last = performance.now() + 25_000;
  let from = audio.currentTime;
  while (audio.currentTime >= from) {
    if (performance.now() > last) throw new Error(`It goes on at ${audio.currentTime} s.`);
    from = audio.currentTime;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { from, to: audio.currentTime };
}
