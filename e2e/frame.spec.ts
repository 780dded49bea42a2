import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';

test('a session that is lost is said once, and leads to the sign-in page', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await page.request.post('/api/logout');
  // An answer without content keeps the browser where it is, so that what the page says can be read at leisure.
  let isFirst = true;
  await page.route('**/api/login', (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    return route.fulfill({ status: 204 });
  });
  const left = page.waitForRequest('**/api/login');
  await page.getByRole('link', { name: 'Past Recordings' }).click();
  await expect(page.getByText('You are logged out. Logging in again...').first()).toBeVisible();
  await (await left).response();
  await page.goto('/api/login');
  await page.waitForURL('**/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
});

test('while the home page’s code is awaited, its own words say so', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  let letGo = () => {};
  const seen = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/home-page-*.js', async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto('/past-recordings');
  const menu = page.getByRole('complementary', { name: 'Side menu' });
  // 64 units of a quarter of a rem.
  expect((await menu.boundingBox())?.width).toBe(256);
  await menu.getByRole('link', { name: 'Yangchen' }).click();
  await expect(page.getByText('Loading sacred space...')).toBeVisible();
  letGo();
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
});

test('what one has chosen on this device is there when the program is loaded again', async ({
  signedIn,
  world,
}) => {
  const { id } = await addMelody(world, { text: 'bo: ཨོཾ།\nOm' });
  const page = await signedIn(await world.student());
  await page.goto('/');
  await page.getByRole('button', { name: /account/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).press('Enter');
  await page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');

  const tibetan = page.getByRole('checkbox', { name: 'Tibetan' });
  await page.goto(`/melodies?play=${id}`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByText('Tibetan', { exact: true }).click();
  await expect(tibetan).not.toBeChecked();
  await page.reload();
  await expect(tibetan).not.toBeChecked();
  await expect(page.locator('.sung-text :lang(bo)')).toHaveCount(0);

  const countIn = page.getByRole('switch', { name: /Count in/ });
  await page.goto('/submit');
  await page.getByText('Recording settings').click();
  await countIn.check();
  await page.reload();
  await page.getByText('Recording settings').click();
  await expect(countIn).toBeChecked();
});
