import { createTone } from '#testing/tone.ts';
import { expect, test } from './fixtures.ts';
import { addMelodyWithText } from './player.ts';

test.use({ environment: { MEDIA_REDIRECT: 'signed' } });

test('a melody streams from the S3 store and continues after its signed URL expires', async ({
  signedIn,
  world,
}) => {
  const melody = await addMelodyWithText(world, {
    text: 'namo gurubhya',
    sound: createTone(300, 440, 32_000),
  });
  const page = await signedIn(await world.student());
  const stored: { url: string; status: number }[] = [];
  page.on('response', (response) => {
    const url = response.url();
    if (!url.startsWith(world.url) && response.request().resourceType() === 'media')
      stored.push({ url, status: response.status() });
  });
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog', { name: melody.title });
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  const position = player.getByRole('slider', { name: `Position in ${melody.title}` });
  await expect(position).not.toHaveAttribute('aria-valuetext', /^0 seconds/);
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.every(({ url, status }) => url.includes('X-Amz-Signature') && status < 300)).toBe(true);

  // Responds as the store would after a minute, when a signed URL expires.
  const ended = new Set(stored.map(({ url }) => url));
  let refused = 0;
  await page.route(
    (url) => ended.has(url.href),
    (route) => {
      refused += 1;
      return route.fulfill({ status: 403, body: 'Request has expired' });
    },
  );
  // Seeks beyond what the browser has prefetched.
  await player.getByRole('button', { name: 'Pause', exact: true }).click();
  await position.press('End');
  for (let i = 0; i < 3; i += 1) await position.press('PageDown');
  const before = await position.getAttribute('aria-valuetext');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(position).not.toHaveAttribute('aria-valuetext', before!);
  expect(refused).toBeGreaterThan(0);
});
