import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';

const PHONES = [
  { width: 320, height: 568 },
  { width: 844, height: 390 },
];
const WORDS = Array.from({ length: 30 }, (_, verse) => `Om mani padme hum, verse ${verse + 1}`).join('\n\n');

const start = (page: Page) => page.getByRole('button', { name: 'Start recording' }).click();
const isRecording = (page: Page) => expect(page.getByText(/^Recording · /)).toBeVisible();

/** Lets `mute()` switch the microphone off, as a headset does. */
async function withMuteSwitch(page: Page) {
  await page.addInitScript(() => {
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await original(constraints);
      const [track] = stream.getAudioTracks();
      Object.assign(window, {
        mute: () => {
          Object.defineProperty(track, 'muted', { value: true });
          track?.dispatchEvent(new Event('mute'));
        },
      });
      return stream;
    };
  });
  return () => page.evaluate(() => (window as unknown as { mute: () => void }).mute());
}

for (const viewport of PHONES) {
  for (const hasWords of [false, true]) {
    const of = `${viewport.width} × ${viewport.height}, ${hasWords ? 'with' : 'without'} words`;
    test(`all that one needs while one records is in sight, in the largest letters (${of})`, async ({
      signedIn,
      world,
    }) => {
      const { title } = await addMelody(world, { text: WORDS });
      const page = await signedIn(await world.student(), { viewport });
      await page.addInitScript(() => localStorage.setItem('text-size', 'larger'));
      const mute = await withMuteSwitch(page);
      await page.goto('/submit');
      if (hasWords) await page.getByLabel('Melody').selectOption({ label: title });
      await page.getByText('Recording settings').click();
      await page.getByRole('switch', { name: /Count in/ }).check();
      await start(page);
      const recorder = page.getByRole('group', { name: 'Your recording' });
      const areInSight = async (...words: string[]) => {
        for (const place of ['top', 'end'] as const) {
          await page.evaluate((to) => scrollTo(0, to === 'top' ? 0 : document.body.scrollHeight), place);
          for (const each of words)
            await expect(recorder.getByText(each).first()).toBeInViewport({ ratio: 1 });
        }
        await page.evaluate(() => scrollTo(0, 0));
      };
      const isInSight = (name: string) =>
        expect(recorder.getByRole('button', { name })).toBeInViewport({ ratio: 1 });

      await areInSight('Get ready. Nothing is being recorded yet.', '0:00');
      await isInSight('Cancel');
      await isRecording(page);
      await areInSight('Recording · ', '0:0');
      await isInSight('Stop recording');
      await isInSight('Pause');
      await expect(recorder.locator('canvas')).toBeInViewport({ ratio: 1 });
      await recorder.getByRole('button', { name: 'Pause' }).click();
      await areInSight('Paused. Nothing is being recorded.');
      await isInSight('Continue');
      await recorder.getByRole('button', { name: 'Continue' }).click();
      await isRecording(page);
      await mute();
      await areInSight('Nothing is being recorded: the microphone is muted.');
      await isInSight('Stop recording');
      await recorder.getByRole('button', { name: 'Stop recording' }).click();
      await expect(page.getByRole('button', { name: 'Record Again' })).toBeInViewport();
    });
  }
}
