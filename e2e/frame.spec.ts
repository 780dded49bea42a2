import { expect, test } from './fixtures.ts';
import { addMelodyWithText } from './player.ts';

test.use({ sharesWorld: true });

test('device settings survive a reload', async ({ signedIn, world }) => {
  const { id } = await addMelodyWithText(world, { text: 'bo: ཨོཾ།\nOm' });
  const page = await signedIn(await world.student());
  await test.step('the home page shows its own loading text while its code loads', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/home-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/no-such-page');
    await page
      .getByRole('complementary', { name: 'Side menu' })
      .getByRole('link', { name: 'Yangchen' })
      .click();
    await expect(page.getByText('Loading sacred space...')).toBeVisible();
    held.resolve();
    await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  });

  await test.step('by default, an open page follows changes to the device’s theme', async () => {
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
  const choice = page.getByRole('button', { name: /shown words$/ });
  const countIn = page.getByRole('switch', { name: /Count in/ });
  await page.goto(`/melodies?play=${id}`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await choice.click();
  await page.getByText('Tibetan', { exact: true }).click();
  await expect(tibetan).not.toBeChecked();
  await page.goto('/submit');
  await page.getByText('Recording settings').click();
  await countIn.check();

  await page.reload();
  await page.getByText('Recording settings').click();
  await expect(countIn).toBeChecked();
  await page.goto(`/melodies?play=${id}`);
  await choice.click();
  await expect(tibetan).not.toBeChecked();
  await expect(page.locator('.sung-text :lang(bo)')).toHaveCount(0);
});
