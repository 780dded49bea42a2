import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';
import { tone } from '#testing/tone.ts';

test.use({ sharesWorld: true });

test('what is practised without a connection is counted once, although an answer is lost', async ({
  world,
  signedIn,
}) => {
  const { id, title } = await addMelody(world, { text: 'Om mani padme hum', sound: tone(3) });
  const student = await world.student();
  const page = await signedIn(student, { serviceWorkers: 'allow' });
  await page.goto('/');
  await page.getByRole('button', { name: /account/ }).click();
  await page.getByRole('menuitem', { name: 'Practice log' }).click();
  const log = page.getByRole('dialog', { name: 'Practice log' });
  await log.getByRole('button', { name: 'Count my practice' }).click();
  await expect(log.getByText('Nothing yet.')).toBeVisible();

  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(`/melodies?play=${id}`);
  const player = page.getByRole('dialog');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  // It has all of the sound.
  const isThere = (audio: HTMLAudioElement) =>
    audio.buffered.length > 0 && audio.buffered.end(0) >= audio.duration - 0.1;
  await expect.poll(() => player.locator('audio').evaluate(isThere)).toBe(true);
  await page.context().setOffline(true);
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await player.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(player).toBeHidden();

  // The first call arrives, and its answer is lost.
  let calls = 0;
  await page.context().route('**/api/user/practice-log', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    calls += 1;
    if (calls > 1) return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await page.context().setOffline(false);
  await expect.poll(() => calls).toBeGreaterThan(0);
  await page.getByRole('button', { name: /account/ }).click();
  await page.getByRole('menuitem', { name: 'Practice log' }).click();
  await expect(log.getByRole('listitem').filter({ hasText: title })).toContainText('once');
  await expect.poll(() => calls).toBe(2);
  await expect(log.getByText(/on this device/)).toHaveCount(0);
  const { body } = await (await world.as(student)).get('/api/user/practice-log');
  expect(body).toMatchObject([{ melodyId: id, times: 1 }]);
});
