import { submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';

const SEEN = {
  unread: ['Not seen yet', 'The student has not seen this feedback yet.'],
  read: ['Seen', 'The student has seen this feedback.'],
  integrated: ['Integrated', 'The student has taken this feedback into the practice.'],
} as const;

test('a student is led from nothing to a first recording, to its answer, and told when a status could not be changed', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/past-recordings');
  await expect(page.getByText('No recordings yet')).toBeVisible();
  await page.getByRole('link', { name: 'Submit Your First Recording' }).click();
  await expect(page).toHaveURL(/\/submit$/);

  const id = await submit(world, student, { title: 'My very first', message: 'With a cold' });
  await page.goto('/past-recordings');
  const card = page.getByRole('article', { name: 'My very first' });
  await expect(card.getByText('Pending', { exact: true })).toBeVisible();
  await expect(card.getByText('Waiting for Khandro-la to listen and answer.')).toBeVisible();
  await expect(card.getByText('With a cold')).toBeVisible();
  await expect(card.getByText(/Submitted (just now|\d+ seconds ago)/)).toBeVisible();
  await expect(card.getByRole('link', { name: 'View Feedback' })).toHaveCount(0);

  await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'A fine beginning.' });
  await page.reload();
  await expect(card.getByText('Reviewed', { exact: true })).toBeVisible();
  await expect(card.getByText(/^Waiting for/)).toHaveCount(0);
  await card.getByRole('link', { name: 'View Feedback' }).click();
  await expect(page).toHaveURL(/\/feedback/);
  const answer = page.getByRole('article').filter({ hasText: 'A fine beginning.' });
  const integrate = answer.getByRole('button', { name: 'Mark as Integrated' });
  await expect(integrate).toBeVisible();

  let isBroken = true;
  await page.route('**/api/feedback/*/status', (route) =>
    isBroken && route.request().postData()?.includes('integrated')
      ? route.fulfill({ status: 500, json: { message: 'Something went wrong on our side.' } })
      : route.continue(),
  );
  await integrate.click();
  await expect(page.getByRole('region').getByText('Error', { exact: true })).toBeVisible();
  await expect(page.getByText('Failed to update feedback status.').first()).toBeVisible();
  await expect(integrate).toBeEnabled();
  isBroken = false;
  await integrate.click();
  await expect(page.getByText('Feedback marked as integrated').first()).toBeVisible();
  const [feedback] = (await (await world.as(student)).get('/api/feedback')).body as { status: string }[];
  expect(feedback!.status).toBe('integrated');
});

test('past feedback that is none leads to the inbox, and each card says whether it was seen', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Sonam', lastName: 'Lhamo' });
  const page = await signedIn(TEACHER);
  await page.route('**/api/admin/feedback', (route) => route.fulfill({ json: [] }));
  await page.goto('/past-feedback');
  await expect(page.getByText('No Feedback Yet')).toBeVisible();
  await page.locator('#content').getByRole('link', { name: 'Admin Inbox' }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  for (const status of Object.keys(SEEN)) {
    const id = await submit(world, student, { title: `Now ${status}`, message: `Message ${status}` });
    const { body } = await world.teacher.form('/api/feedback', {
      recordingId: id,
      writtenFeedback: `Words ${status}`,
    });
    if (status !== 'unread')
      await (await world.as(student)).patch(`/api/feedback/${body.id as number}/status`, { status });
  }
  await page.goto('/past-feedback?q=Sonam');
  for (const [status, [word, note]] of Object.entries(SEEN)) {
    const card = page.getByRole('article', { name: `Now ${status}` });
    await expect(card.getByText('Sonam Lhamo', { exact: true })).toBeVisible();
    await expect(card.getByText(`Message ${status}`)).toBeVisible();
    await expect(card.getByText(`Words ${status}`)).toBeVisible();
    await expect(card.getByText(word, { exact: true })).toBeVisible();
    await expect(card.getByText(note)).toBeVisible();
  }
});
