import { TEACHER, expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';
import { toastOf } from './toast.ts';

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

test('one toast shows at once, for five seconds; F8 leads to it, and a swipe of 50 px sends it away', async ({
  signedIn,
}) => {
  const page = await signedIn(TEACHER, { viewport: { width: 1440, height: 900 } });
  await page.clock.install();
  await page.goto('/admin/invite');
  const send = page.getByRole('button', { name: 'Send 0 Invites' });
  const create = page.getByRole('button', { name: 'Create User' });
  const toast = toastOf(page);
  const place = async () => {
    const { x, y, width, height } = (await page.locator('ol').and(page.getByRole('list')).boundingBox())!;
    return { x, y, width, bottom: y + height };
  };
  await expect(send).toBeVisible();
  // From here on time goes only where it is told to.
  await page.clock.pauseAt(Date.now() + 60_000);

  await create.press('Enter');
  await expect(toast).toContainText('Please fill in all fields and select');
  await page.clock.runFor(4_000);
  await send.press('Enter');
  await expect(toast).toHaveCount(1);
  await expect(toast).toContainText('for at least one invite');
  const wide = await place();
  expect(wide).toMatchObject({ width: 420, bottom: 900 });
  // At the end, but for the room of a scroll bar.
  expect(wide.x).toBeGreaterThanOrEqual(1440 - 420 - 20);
  await page.clock.runFor(4_999);
  await expect(toast).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(toast).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await send.press('Enter');
  await expect(toast).toHaveCount(1);
  expect(await place()).toMatchObject({ x: 0, y: 0 });
  await page.keyboard.press('F8');
  await expect(page.locator('ol:focus, ol :focus')).toHaveCount(1);

  const swipe = async (px: number) => {
    const { x, y } = (await toast.boundingBox())!;
    await page.mouse.move(x + 40, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20);
    await page.mouse.move(x + 40 + px, y + 20);
    await page.mouse.up();
  };
  await swipe(49);
  await expect(toast).toHaveCount(1);
  await swipe(51);
  await expect(toast).toHaveCount(0);
});

test('a tooltip shows after 700 ms, and at once within 300 ms of another', async ({ signedIn }) => {
  const page = await signedIn(TEACHER);
  await page.clock.install();
  await page.goto('/admin/invite');
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  const remove = (number: number) => page.getByRole('button', { name: `Remove invite ${number}` });
  // The button has a name; the text is the tooltip's.
  const tooltip = (number: number) => page.getByText(`Remove invite ${number}`, { exact: true });
  await expect(remove(2)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);

  await remove(1).hover();
  await page.clock.runFor(699);
  await expect(tooltip(1)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip(1)).toBeVisible();
  // Straight to the next one.
  await remove(2).hover();
  await page.clock.runFor(1);
  await expect(tooltip(2)).toBeVisible();
  await expect(tooltip(1)).toHaveCount(0);
  // Away, and back within the time.
  await page.mouse.move(0, 0);
  await page.clock.runFor(120);
  await expect(tooltip(2)).toHaveCount(0);
  await page.clock.runFor(170);
  await remove(1).hover();
  await page.clock.runFor(1);
  await expect(tooltip(1)).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(420);
  await remove(1).hover();
  await page.clock.runFor(699);
  await expect(tooltip(1)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip(1)).toBeVisible();
});
