import type { Page } from '@playwright/test';
import { composeSong, inventSinger, renderPerformance, toWav, getAllParts } from '#testing/singing.ts';
import { expect, test } from './fixtures.ts';
import {
  findExcerptInSound,
  type RecordedSound,
  waitForRecordedSounds,
  recordPlayback,
} from './recorded-sound.ts';
import { findMelodyCard } from './melodies.ts';
import { addMelodyWithText } from './player.ts';

// Without ffmpeg, the device saves the uploaded melody itself, not a converted copy.
test.use({ environment: { FFMPEG_PATH: 'none' } });

const TEXT = ['Hung orgyen yul gyi', 'Pema gesar dongpo la', 'Yatsen chok gi ngödrub'];

const song = composeSong('praise', { lines: TEXT.length });
const melody = renderPerformance('melody', song, inventSinger('teacher'), getAllParts(song));
/** Take by another singer: slower, in another key, and without the second line. */
const take = renderPerformance(
  'take',
  song,
  inventSinger('student'),
  [0, 2].map((line) => ({ line })),
  { tempo: 0.95, rubato: 0.3 },
);

const section = (page: Page) => page.getByRole('region', { name: 'Compare line by line' });

async function chooseTake(page: Page) {
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const file = { name: 'song.wav', mimeType: 'audio/wav', buffer: toWav(take.sound) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(section(page)).toContainText('2 of 3 lines found', { timeout: 120_000 });
}

/** Expects that a single line was played, from its start to its end or to the start of the next line. */
function expectLine(
  one: RecordedSound | undefined,
  sound: Float32Array,
  { start, end }: { start: number; end: number },
) {
  expect(Math.abs(one!.from - start)).toBeLessThan(0.3);
  expect(one!.to).toBeGreaterThan(end - 0.3);
  expect(one!.to).toBeLessThan(end + 2);
  // Skips the first 0.3 s, because the browser needs a moment to start recording.
  const { seconds, alike } = findExcerptInSound(sound, one!, 0.3);
  expect(alike).toBeGreaterThan(0.8);
  expect(seconds).toBeGreaterThan(start - 0.5);
  expect(seconds).toBeLessThan(end - 1);
}

test('a student can hear a take line by line before sending it, even offline', async ({
  signedIn,
  world,
}) => {
  test.setTimeout(300_000);
  const { id, title } = await addMelodyWithText(world, {
    text: TEXT.join('\n'),
    timings: melody.lines.map(({ line, start }) => ({ line, start })),
    sound: toWav(melody.sound),
  });
  const page = await signedIn(await world.student(), { serviceWorkers: 'allow' });
  await recordPlayback(page);
  await page.goto('/melodies');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('button', { name: `Save for offline: ${title}` }).click();
  await expect(findMelodyCard(page, title).getByText('Saved on this device')).toBeVisible();
  await page.goto(`/submit?melody=${id}`);
  await chooseTake(page);
  await expect(section(page).getByRole('group', { name: 'Line 2' })).toContainText('not found');
  const press = (name: string) => section(page).getByRole('button', { name });
  const isOver = (name: string) =>
    expect(press(name)).toHaveAttribute('aria-pressed', 'false', { timeout: 30_000 });

  await test.step('“Play all” plays a line of the melody and then the same line of the take', async () => {
    await press('Play all, line 3').click();
    await isOver('Play all, line 3');
    const [hers, mine, ...none] = await waitForRecordedSounds(page);
    expect(none).toEqual([]);
    expectLine(hers, melody.sound, melody.lines[2]!);
    expectLine(mine, take.sound, take.lines[1]!);
  });

  await test.step('the page draws and describes how the teacher and the student sing a line', async () => {
    await section(page)
      .getByRole('button', { name: /^Line 1/, expanded: false })
      .click();
    await press('See the melody’s shape').click();
    const picture = section(page).getByRole('img', {
      name: 'The melody’s shape in line 1, Khandro-la’s and yours',
    });
    await expect(picture).toHaveAccessibleDescription(/^Khandro-la’s line .+“.+”.* Yours /, {
      timeout: 30_000,
    });
  });

  await test.step('offline, the page uses the saved melody to find the lines of a take', async () => {
    await page.context().setOffline(true);
    await page.goto(`/submit?melody=${id}`);
    await chooseTake(page);
    await press('Khandro-la, line 1').click();
    await isOver('Khandro-la, line 1');
    expectLine((await waitForRecordedSounds(page))[0], melody.sound, melody.lines[0]!);
  });
});
