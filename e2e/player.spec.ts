import type { Page } from '@playwright/test';
import { createTone } from '#testing/tone.ts';
import { expect, test, type World } from './fixtures.ts';

test.use({ sharesWorld: true });

test('a loop limits playback and survives a reload', async ({ signedIn, world }) => {
  const melody = await addMelody(world, 'Looped');
  const page = await signedIn(await world.student());
  const fetched: string[] = [];
  page.on('request', (request) => request.url().includes('type=audio') && fetched.push(request.url()));
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog');
  const position = player.getByRole('slider', { name: 'Position in Looped' });
  await expect(position).toBeVisible();
  await position.press('End');
  await expect(position).toHaveAttribute('aria-valuetext', '12 seconds of 12 seconds');
  await position.press('Home');
  await position.press('ArrowRight');
  expect(fetched).toEqual([]);

  await player.getByRole('button', { name: 'Set A Point' }).click();
  // Presses B while playback is still at A. The player rejects this, because B must be after A.
  await player.getByRole('button', { name: 'Set B Point' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('heading')).toHaveText('B point must be after A point');
  // Waits until OK has focus, because until then the player receives the keys.
  await expect(alert.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(alert).toBeHidden();
  await expect(player).toBeVisible();

  await position.press('ArrowRight');
  await player.getByRole('button', { name: 'Set B Point' }).click();
  const b = player.getByRole('slider', { name: 'B point' });
  await b.focus();
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowLeft');
  await expect(b).toHaveAttribute('aria-valuetext', '5.9 seconds');
  await player.getByRole('button', { name: /^Speed and volume/ }).click();
  await player.getByRole('button', { name: 'Faster' }).click();
  await player.getByRole('button', { name: 'Close speed and volume' }).click();
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expectToMove(page);
  const heard = await sampleRound(page);
  expect(Math.min(...heard)).toBeGreaterThanOrEqual(4.95);
  // A wide limit, because the benchmark measures how far playback passes B. The song lasts 12 s.
  expect(Math.max(...heard)).toBeLessThan(9);
  await test.step('playback returns to the loop after a seek past its end', async () => {
    await position.press('End');
    await expect.poll(async () => Math.max(...(await sampleRound(page)))).toBeLessThan(9);
  });

  await page.reload();
  await expect(player.getByText('1.05×').first()).toBeAttached();
  await expect(b).toHaveAttribute('aria-valuetext', '5.9 seconds');
  await player.getByRole('button', { name: 'Clear Loop' }).click();
  await expect(b).toBeHidden();
});

async function addMelody(world: World, title: string) {
  const { id } = await world.level('Open to All');
  const { status, body } = await world.teacher.form('/api/melodies', {
    title,
    transmissionLevelId: id,
    melodyText: 'namo gurubhya\nབླ་མ་མཁྱེན་ནོ།',
    audioFile: { bytes: createTone(12), name: 'song.wav' },
  });
  expect(status).toBe(201);
  return body as { id: number };
}

async function expectToMove(page: Page) {
  const position = () =>
    page.evaluate(() => document.querySelector<HTMLAudioElement>('[role=dialog] audio')!.currentTime);
  const before = await position();
  await expect.poll(position).not.toBe(before);
}

/** Samples the playback position from now until playback jumps back. */
const sampleRound = (page: Page) =>
  page.evaluate(async () => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    const seen = [audio.currentTime];
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen.push(audio.currentTime);
      if (audio.currentTime < seen.at(-2)!) return seen;
    }
  });
