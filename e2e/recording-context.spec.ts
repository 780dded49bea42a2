import type { Page } from '@playwright/test';
import { addMelody, submit } from './inbox.ts';
import { expect, test, type Student, type World } from './fixtures.ts';
import { takesOnDevice } from './takes.ts';

const found = (page: Page) => page.getByRole('region', { name: 'A recording was not submitted' });
const melodyField = (page: Page) => page.getByLabel('Melody');

async function sing(page: Page, seconds = 2) {
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(seconds * 1_000);
}

async function sent(world: World, student: Student) {
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  return body as { title: string; message: string | null; melodyId: number | null }[];
}

test('a recording that was cut off is spoken of on the next page, and comes back with its melody and its words', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const melodyId = await addMelody(world, { title: 'Left behind' });
  const page = await signedIn(student);
  await page.goto(`/submit?melody=${melodyId}`);
  await expect(page.getByLabel('Title')).toHaveValue('Left behind');
  await page.getByLabel('Message').fill('Sung on the way down');
  await sing(page);
  await page.close();

  const next = await page.context().newPage();
  await next.goto('/');
  await next.getByRole('link', { name: 'Listen to it' }).click();
  await expect(next).toHaveURL(/\/submit$/);
  await expect(next.getByText('A recording here was not submitted.')).toHaveCount(0);
  await expect(melodyField(next)).toHaveValue('');
  await found(next).getByRole('button', { name: 'Use this recording' }).click();
  await expect(melodyField(next)).toHaveValue(String(melodyId));
  await expect(next.getByLabel('Title')).toHaveValue('Left behind');
  await expect(next.getByLabel('Message')).toHaveValue('Sung on the way down');
  await next.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(next.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
  expect(await sent(world, student)).toMatchObject([
    { title: 'Left behind', message: 'Sung on the way down', melodyId },
  ]);
});

test('what is typed after recording stays with the recording', async ({ signedIn, world }) => {
  const student = await world.student();
  const melodyId = await addMelody(world, { title: 'Chosen late' });
  const page = await signedIn(student);
  await page.goto('/submit');
  await sing(page);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await page.getByLabel('Title').fill('My own name for it');
  await melodyField(page).selectOption(String(melodyId));
  await expect(page.getByLabel('Title')).toHaveValue('My own name for it');
  await expect.poll(() => keptWith(page)).toMatchObject({ title: 'My own name for it', melodyId });
  // As on a device whose browser has lost what pages keep as text.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/submit');
  await found(page).getByRole('button', { name: 'Use this recording' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('My own name for it');
  await expect(melodyField(page)).toHaveValue(String(melodyId));
});

test('without a connection a recording still belongs to the melody that one came from', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const melodyId = await addMelody(world, { title: 'Far from any network' });
  const page = await signedIn(student);
  await page.route('**/api/melodies', (route) => route.abort());
  await page.goto(`/submit?melody=${melodyId}`);
  await expect(page.getByText('The library could not be loaded just now.')).toBeVisible();
  await expect(melodyField(page)).toHaveValue(String(melodyId));
  await page.getByLabel('Title').fill('In the hut');
  await sing(page);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
  expect(await sent(world, student)).toMatchObject([{ title: 'In the hut', melodyId }]);

  await page.goto(`/submit?melody=${melodyId}`);
  await expect(page.getByText('The library could not be loaded just now.')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByLabel('Title')).toHaveValue('Far from any network');
});

test('what was typed for one melody does not stand beside another', async ({ signedIn, world }) => {
  const student = await world.student();
  const [one, other] = [await addMelody(world, { title: 'One' }), await addMelody(world, { title: 'Other' })];
  const page = await signedIn(student);
  await page.goto(`/submit?melody=${one}`);
  await expect(page.getByLabel('Title')).toHaveValue('One');
  await page.getByLabel('Title').fill('One, very slowly');
  await page.getByLabel('Message').fill('About the first');
  await page.goto(`/submit?melody=${other}`);
  await expect(page.getByLabel('Title')).toHaveValue('Other');
  await expect(page.getByLabel('Message')).toHaveValue('');
  await page.goto(`/submit?melody=${one}`);
  await expect(page.getByLabel('Title')).toHaveValue('One, very slowly');
  await expect(page.getByLabel('Message')).toHaveValue('About the first');
});

test('who practises again from the past recordings has in sight what was answered', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const text = Array.from({ length: 30 }, (_, line) => `sangye chö dang ${line}`).join('\n');
  const melodyId = await addMelody(world, { title: 'Again and again', text });
  const recordingId = await submit(world, student, { title: 'First', melodyId });
  const writtenFeedback = 'Let the second breath come earlier.';
  await world.teacher.form('/api/feedback', { recordingId, writtenFeedback });
  await submit(world, student, { title: 'Second', melodyId });
  const page = await signedIn(student, { viewport: { width: 390, height: 844 } });
  for (const title of ['First', 'Second']) {
    await page.goto('/past-recordings');
    const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) });
    await card.getByRole('link', { name: 'Practice Again' }).click();
    await expect(melodyField(page)).toHaveValue(String(melodyId));
    await expect(page.getByRole('heading', { name: /^What .* said$/ })).toBeVisible();
    await expect(page.getByText(writtenFeedback)).toBeVisible();
  }
  await sing(page);
  await expect(page.getByText(writtenFeedback)).toBeInViewport();
  await expect(page.getByText('sangye chö dang 0')).toBeInViewport();
});

/** What the device keeps beside the one recording that is on it. */
const keptWith = async (page: Page) => (await takesOnDevice(page))[0]?.sending;
