import { copied } from './clipboard.ts';
import { expectAccessible } from './axe.ts';
import { answerAll, submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';

test.beforeEach(({ world }) => answerAll(world));

test('what another teacher has answered meanwhile is shown beside what was typed', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Answered by two' });
  await submit(world, student, { title: 'The next one' });
  const page = await signedIn(TEACHER);
  // Nobody tells this page.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Answered by two' });
  await card.getByLabel('Written feedback').fill('My own words');
  await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'The other’s words' });
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card.getByText('This recording has been answered already.').first()).toBeVisible();
  await expect(card.getByRole('region', { name: 'What was answered' })).toContainText('The other’s words');
  await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('My own words');
  await expect(card.getByRole('button', { name: 'Send Feedback' })).toHaveCount(0);
  await expectAccessible(page, 'a card that was answered elsewhere');

  await test.step('also after a reload', async () => {
    await page.reload();
    await expect(card.getByRole('region', { name: 'What was answered' })).toContainText('The other’s words');
    await page.context().grantPermissions(['clipboard-write']);
    await card.getByRole('button', { name: 'Copy my text' }).click();
    await expect(card.getByText('Copied')).toBeVisible();
    expect(await copied(page)).toBe('My own words');
  });
  await card.getByRole('button', { name: 'Put it away' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'The next one' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('two teachers who answer at once make one feedback, and the second sees both answers', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Answered at once' });
  const second = await world.student({ firstName: 'Ani', lastName: 'Pema' });
  await world.sql(`update users set role = 'admin' where id = $1`, [second.id]);
  const cards = await Promise.all(
    [TEACHER, second].map(async (teacher) => {
      const page = await signedIn(teacher);
      // Nobody tells these pages of each other.
      await page.route('**/api/events', (route) => route.abort());
      await page.goto('/admin');
      const card = page.getByRole('article').filter({ hasText: 'Answered at once' });
      const words = `The words of ${teacher.username}`;
      await card.getByLabel('Written feedback').fill(words);
      return { page, card, words };
    }),
  );
  // Both calls are on their way before either arrives.
  const both = Promise.withResolvers<void>();
  const answers: number[] = [];
  let count = 0;
  for (const { page } of cards) {
    await page.route('**/api/feedback', async (route) => {
      count += 1;
      if (count === 2) both.resolve();
      await both.promise;
      await route.continue();
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/api/feedback')) answers.push(response.status());
    });
  }
  await Promise.all(cards.map(({ card }) => card.getByRole('button', { name: 'Send Feedback' }).click()));
  await expect.poll(() => answers.toSorted()).toEqual([201, 409]);

  const given = (await (await world.as(student)).get('/api/feedback')).body as { writtenFeedback: string }[];
  expect(given).toHaveLength(1);
  const [won, lost] = given[0]!.writtenFeedback === cards[0]!.words ? cards : cards.toReversed();
  expect(given[0]!.writtenFeedback).toBe(won!.words);
  await expect(won!.card).toHaveCount(0);
  await expect(lost!.card.getByRole('region', { name: 'What was answered' })).toContainText(won!.words);
  await expect(lost!.card.getByRole('region', { name: 'Your reply' })).toContainText(lost!.words);
  // What the other teacher has sent takes nothing of this one's draft.
  await lost!.page.reload();
  await expect(lost!.card.getByRole('region', { name: 'Your reply' })).toContainText(lost!.words);
  await lost!.card.getByRole('button', { name: 'Put it away' }).click();
  await expect(lost!.card).toHaveCount(0);
  await world.sql(`update users set role = 'student' where id = $1`, [second.id]);
  const after = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(after.body.writtenFeedback).toBe(won!.words);
});

test('a recording that is withdrawn while one writes stays with what was typed', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Taken back' });
  const other = await submit(world, student, { title: 'Untouched' });
  const page = await signedIn(TEACHER);
  const listening = page.waitForResponse('**/api/events');
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Taken back' });
  await card.getByLabel('Written feedback').fill('Words of mine');
  await expect(page.getByText('Draft saved')).toBeVisible();
  await listening;
  const client = await world.as(student);
  expect((await client.delete(`/api/recordings/${other}`)).status).toBe(200);
  await expect(page.getByRole('article').filter({ hasText: 'Untouched' })).toHaveCount(0);
  expect((await client.delete(`/api/recordings/${id}`)).status).toBe(200);
  await expect(card.getByText('This recording is no longer here.')).toBeVisible();
  await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('Words of mine');

  await test.step('also after a reload, and for nobody else on this device', async () => {
    await page.reload();
    await expect(card.getByText('This recording is no longer here.')).toBeVisible();
    await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('Words of mine');
    await expectAccessible(page, 'a card that was withdrawn');

    const other = await world.student({ firstName: 'Ani', lastName: 'Pema' });
    await world.sql(`update users set role = 'admin' where id = $1`, [other.id]);
    await page.request.post('/api/login', { data: { username: other.username, password: other.password } });
    await page.reload();
    await expect(page.getByText('All Caught Up')).toBeVisible();
    await page.request.post('/api/login', { data: TEACHER });
    await page.reload();
    await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('Words of mine');
    await world.sql(`update users set role = 'student' where id = $1`, [other.id]);
  });
  await card.getByRole('button', { name: 'Put it away' }).click();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  await page.reload();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Words of mine');
});
