import { expect, test } from './fixtures.ts';

test('a recording stops by itself at two minutes, warns before, and can be submitted', async ({
  signedIn,
  world,
}) => {
  test.setTimeout(240_000);
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

test('a refused microphone is said in the specified words, and uploading still works', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student(), { permissions: [] });
  await page.goto('/submit');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Could not access microphone. Please check your browser permissions.',
  );
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  await expect(page.locator('input[type=file]')).toBeEnabled();
});

test('on a page that is not secure the recorder says so plainly', async ({ visitor, world }) => {
  const student = await world.student();
  const address = world.url.replace('127.0.0.1', 'songs.test');
  const page = await visitor({ baseURL: address });
  await page.goto('/submit');
  await page.getByLabel('Username').fill(student.username);
  await page.getByLabel('Password', { exact: true }).fill(student.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Submit Recording' })).toBeVisible();
  await expect(page.getByText(/Recording needs a secure address/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start recording' })).toHaveCount(0);
});

test('what is paused is not recorded, and a new take replaces the old one', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_500);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused. Nothing is being recorded.').first()).toBeVisible();
  await page.waitForTimeout(3_000);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.getByText(/0:00 \/ 0:0[1-3]/)).toBeVisible();
  await page.getByRole('button', { name: 'Record Again' }).click();
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
});

test('an answer that is lost on the way makes no second recording', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/submit');
  await page.getByLabel('Title').fill('On a poor line');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_200);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  // The answer is lost on the way: the recording is there, and the device can't know.
  let isLost = true;
  await page.route('**/api/recordings', async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  isLost = false;
  await expect(
    page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible({ timeout: 30_000 });
  expect((await (await world.as(student)).get('/api/student/recordings')).body).toHaveLength(1);
});

test('nothing is sent without a title or a recording, nor a file of 10 MB', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  const submit = page.getByRole('button', { name: 'Submit to the teacher' });
  await submit.click();
  await expect(page.getByText('Please provide a title for your recording.').first()).toBeVisible();
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByLabel('Title').fill('Only a title');
  await submit.click();
  await expect(page.getByText('Please record or upload an audio file.').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const large = { name: 'large.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(10 * 1024 * 1024) };
  await page.locator('input[type=file]').setInputFiles(large);
  await expect(page.getByText('Please select a file smaller than 10MB.').first()).toBeVisible();
});
