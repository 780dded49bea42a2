import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';

test.use({ sharesWorld: true });

test('what one has chosen on this device is there when the program is loaded again', async ({
  signedIn,
  world,
}) => {
  const { id } = await addMelody(world, { text: 'bo: ཨོཾ།\nOm' });
  const page = await signedIn(await world.student());
  await test.step('while the home page’s code is awaited, its own words say so', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/home-page-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/past-recordings');
    await page
      .getByRole('complementary', { name: 'Side menu' })
      .getByRole('link', { name: 'Yangchen' })
      .click();
    await expect(page.getByText('Loading sacred space...')).toBeVisible();
    held.resolve();
    await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  });

  await test.step('until one has chosen, the page goes with the device, also while it is open', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    }
  });

  await page.getByRole('button', { name: /account/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Settings' }).press('Enter');
  await page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');

  const tibetan = page.getByRole('checkbox', { name: 'Tibetan' });
  await page.goto(`/melodies?play=${id}`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const choice = page.getByRole('button', { name: /what is shown$/ });
  await choice.click();
  await page.getByText('Tibetan', { exact: true }).click();
  await expect(tibetan).not.toBeChecked();
  await page.reload();
  await choice.click();
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
