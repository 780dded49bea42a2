import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addCompleteMelody, findMelodyCard } from './melodies.ts';
import { listTakeNames } from './takes.ts';

// Turns on the back/forward cache, as in users' browsers. Playwright turns it off.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
});

/** Returns whether this URL is in the browser's HTTP cache. Sends no request to the server. */
const isInCache = (page: Page, path: string) =>
  page.evaluate(
    (address) =>
      fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    path,
  );

/** Returns all text in the page, its storage and the service worker's cache. */
const readAllText = (page: Page) =>
  page.evaluate(async () => {
    const kept = [document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage })];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        kept.push(request.url);
        if (/html|json/.test(answer!.headers.get('content-type')!)) kept.push(await answer!.text());
      }
    }
    return kept.join('\n');
  });

test('signing out removes cached files and names, but keeps unsent recordings', async ({
  signedIn,
  world,
}) => {
  const { audioUrl, thumbnailUrl } = await addCompleteMelody(world, 'Calling from Afar');
  const files = [`/api/files/${audioUrl}?type=audio`, `/api/files/${thumbnailUrl}?type=image`];
  const student = await world.student({ firstName: 'Yeshe', lastName: 'Tsogyal' });
  const first = await signedIn(student, { serviceWorkers: 'allow' });
  await first.goto('/submit');
  await first.getByRole('button', { name: 'Start recording' }).click();
  await expect(first.getByText(/^Recording · /)).toBeVisible();
  await expect.poll(() => listTakeNames(first)).toHaveLength(1);
  const sung = await listTakeNames(first);
  await first.close();

  const page = await first.context().newPage();
  await page.goto('/melodies');
  await expect(findMelodyCard(page, 'Calling from Afar')).toBeVisible();
  expect(await page.content()).toContain('Calling from Afar');
  await page.evaluate(
    (addresses) => Promise.all(addresses.map((address) => fetch(address).then((a) => a.blob()))),
    files,
  );
  for (const file of files) expect(await isInCache(page, file), file).toBe(true);
  await expect.poll(() => readAllText(page)).toContain('/?shell');
  expect(await readAllText(page)).toContain('Tsogyal');

  const cookies = await page.context().cookies();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  // Restores the old cookies in the old order. Cached files vary by cookie, so any file left in the cache
  // would match again.
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  for (const file of files) expect(await isInCache(page, file), file).toBe(false);
  for (const theirs of ['Tsogyal', student.email, student.username, 'Calling from Afar'])
    expect(await readAllText(page)).not.toContain(theirs);
  expect(await listTakeNames(page)).toEqual(sung);
});

test('Back shows cached pictures, but no private data after signing out', async ({ signedIn, world }) => {
  const { thumbnailUrl } = await addCompleteMelody(world, 'Seen by one');
  const page = await signedIn(await world.student());
  const answers = await listResponseStatuses(page, thumbnailUrl);
  await page.goto('/melodies');
  const image = findMelodyCard(page, 'Seen by one').locator('img');
  const isShown = () => image.evaluate((one) => (one as HTMLImageElement).naturalWidth > 0);

  await test.step('a picture is fetched once, cached for Back, and revalidated on reload', async () => {
    await expect.poll(isShown).toBe(true);
    await expect.poll(answers).toEqual([200]);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'View Feedback' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Feedback/);
    await page.goBack();
    // The picture must be there as soon as its card appears.
    await image.waitFor();
    expect(await isShown()).toBe(true);
    await page.reload();
    await expect.poll(isShown).toBe(true);
    await expect.poll(() => answers().at(-1)).toBe(304);
    expect(answers().filter((status) => status === 200)).toHaveLength(1);
  });

  await test.step('after the user opens /api/logout, Back shows the sign-in page', async () => {
    // Loads a new document, so that the browser can put the previous page into the back/forward cache.
    await page.goto('/api/logout');
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
    await expect(page.getByText('Seen by one')).toHaveCount(0);
  });
});

/**
 * Collects the statuses that the server sent for a URL. Reads them from `responseReceivedExtraInfo`, because
 * other events may report a revalidated response as 200.
 */
async function listResponseStatuses(page: Page, address: string) {
  const device = await page.context().newCDPSession(page);
  const asked = new Set<string>();
  const answered: { requestId: string; statusCode: number }[] = [];
  device.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes(address)) asked.add(requestId);
  });
  device.on('Network.responseReceivedExtraInfo', (answer) => void answered.push(answer));
  await device.send('Network.enable');
  return () => answered.filter(({ requestId }) => asked.has(requestId)).map(({ statusCode }) => statusCode);
}
