import { TEACHER_CREDENTIALS, expect, test } from './fixtures.ts';
import { addMelodyWithText } from './player.ts';

test.use({ sharesWorld: true });

test('the player can be closed while it loads, and offers a retry after a failure', async ({
  signedIn,
  world,
}) => {
  const { title } = await addMelodyWithText(world, {
    text: 'Sangye chö dang\nJangchub bardu',
    timings: [
      { line: 0, start: 1 },
      { line: 1, start: 3 },
    ],
  });
  const page = await signedIn(TEACHER_CREDENTIALS);
  const opener = page.getByRole('button', { name: `Advanced Player: ${title}` });
  const player = page.getByRole('dialog', { name: title });
  const play = player.getByRole('button', { name: 'Play', exact: true });
  const tryAgain = player.getByRole('button', { name: 'Try again' });
  /** Makes requests for the script and for the health check fail. Returns a function that undoes this. */
  const lose = async (code: string) => {
    const lost = [code, '**/api/health'];
    for (const each of lost) await page.route(each, (route) => route.abort('connectionreset'));
    return async () => {
      for (const each of lost) await page.unroute(each);
    };
  };
  const playerCode = '**/assets/player-overlay-*.js';

  await test.step('while its code loads, the player shows a loading message and can be closed', async () => {
    const held = Promise.withResolvers<void>();
    await page.route(playerCode, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/melodies');
    await opener.click();
    await expect(player.getByText('Loading...')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(player).toBeHidden();
    await expect(opener).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(player.getByText('Loading...')).toBeVisible();
    held.resolve();
    await expect(play).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    await page.unroute(playerCode);
  });

  await test.step('the player offers a retry if its code fails to load', async () => {
    const findAgain = await lose(playerCode);
    await page.reload();
    await opener.click();
    await expect(player.getByText('The player could not be loaded.')).toBeVisible();
    await player.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(player).toBeHidden();
    await expect(opener).toBeFocused();
    await page.getByRole('button', { name: `Play ${title}`, exact: true }).click();
    await expect(page.getByRole('button', { name: `Pause ${title}`, exact: true })).toBeVisible();

    await opener.click();
    await tryAgain.click();
    await expect(tryAgain).toBeEnabled();
    await expect(player.getByText('The player could not be loaded.')).toBeVisible();
    await findAgain();
    await tryAgain.click();
    await expect(play).toBeVisible();
  });

  await test.step('playback continues if the timing editor fails to load', async () => {
    const findAgain = await lose('**/assets/timing-editor-*.js');
    const time = player.getByRole('button', { name: 'Time the lines' });
    const timing = page.getByRole('dialog', { name: 'Time the lines' });
    await play.click();
    await expect(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    await time.click();
    await expect(timing.getByText('The timing editor could not be loaded.')).toBeVisible();
    expect(await timing.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(false);
    await timing.getByRole('button', { name: 'Back to the words' }).click();
    await expect(player.getByText('Sangye chö dang', { exact: true })).toBeVisible();
    await time.click();
    // Waits until loading has failed. Otherwise the editor would load without a press of “Try again”.
    const again = timing.getByRole('button', { name: 'Try again' });
    await expect(again).toBeEnabled();
    await findAgain();
    await again.click();
    // Reopens the editor if needed: if the browser has cached the failed import, the page reloads itself and
    // shows the words.
    await expect(async () => {
      if (await time.isVisible()) await time.click();
      await expect(page.getByText('2 of 2 lines timed')).toBeVisible({ timeout: 2_000 });
    }).toPass();
  });
});
