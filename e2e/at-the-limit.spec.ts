import { expect, test } from './fixtures.ts';

test('a recording stops by itself at two minutes, warns before, and can be submitted', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Long', lastName: 'Breath' });
  const page = await signedIn(student);
  await page.goto('/submit');
  await page.getByLabel('Title').fill('Two minutes');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · 1:\d\d|^Recording · \d+ seconds left/)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '10 seconds left' })).toBeAttached({
    timeout: 150_000,
  });
  await expect(page.getByText(/2-minute limit has been reached/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(
    page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible();
  const client = await world.as(student);
  const [recording] = (await client.get('/api/student/recordings')).body as {
    audioUrl: string;
    duration: number;
  }[];
  expect(recording!.duration).toBe(120);
  const file = await client.get(`/api/files/${recording!.audioUrl}?type=audio`);
  expect(file.bytes).toHaveLength(44 + 120 * 32_000 * 2);
});
