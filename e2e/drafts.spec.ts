import { answerAll, submit } from './inbox.ts';
import { expectAccessible } from './axe.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

test.beforeEach(({ world }) => answerAll(world));

const atServer = async (world: World, id: number) => {
  const { body } = await world.teacher.get('/api/admin/feedback-drafts');
  return (body as { recordingId: number; text: string }[]).find((each) => each.recordingId === id)?.text;
};

test('what another browser has written meanwhile is shown beside, and overwritten only by choice', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'In two browsers' });
  const draft = `/api/admin/recordings/${id}/draft`;
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'In two browsers' });
  const text = card.getByLabel('Written feedback');
  const besides = card.getByRole('status').filter({ hasText: 'and on this device too' });
  await text.fill('From here');
  await expect(card.getByText('Draft saved')).toBeVisible();
  await world.teacher.put(draft, { text: 'From the phone', marks: [] });
  await text.press('End');
  await text.pressSequentially(', and more');
  await expect(besides).toContainText('From the phone');
  await expect(text).toHaveValue('From here, and more');
  await expect(card.getByText('Draft kept on this device')).toBeVisible();
  expect(await atServer(world, id)).toBe('From the phone');

  await test.step('also by a tab that is closed with words that were not saved', async () => {
    await text.pressSequentially('!');
    await page.goto('about:blank');
    expect(await atServer(world, id)).toBe('From the phone');
    await page.goto('/admin');
    await expect(text).toHaveValue('From the phone');
    await expect(besides).toHaveCount(1);
    await expect(besides).toContainText('From here, and more!');
  });
  await test.step('one’s own counts once it was chosen', async () => {
    await besides.getByRole('button', { name: 'Use this one' }).click();
    await expect.poll(() => atServer(world, id)).toBe('From here, and more!');
    await besides.getByRole('button', { name: 'Put it away' }).click();
    await expect(besides).toHaveCount(0);
  });
  await test.step('and so does the one in the form, when the other is put away', async () => {
    await expect(card.getByText('Draft saved')).toBeVisible();
    await world.teacher.put(draft, { text: 'From the phone again', marks: [] });
    await text.fill('The last word');
    await expect(besides).toContainText('From the phone again');
    await besides.getByRole('button', { name: 'Put it away' }).click();
    await expect.poll(() => atServer(world, id)).toBe('The last word');
    await expect(card.getByText('Draft saved')).toBeVisible();
  });
});

test('a session that ends while a reply is typed costs no word of it', async ({ signedIn, world }) => {
  const id = await submit(world, await world.student(), { title: 'Typed on' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Typed on' });
  const text = card.getByLabel('Written feedback');
  await text.fill('Before it ended');
  await expect(card.getByText('Draft saved')).toBeVisible();
  await page.request.post('/api/logout');
  await text.press('End');
  await text.pressSequentially(', and after');
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await atServer(world, id)).toBe('Before it ended');

  await page.getByLabel('Username').fill(TEACHER.username);
  await page.getByLabel('Password', { exact: true }).fill(TEACHER.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: /Welcome to/ })).toBeVisible();
  await page.goto('/admin');
  await expect(text).toHaveValue('Before it ended, and after');
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(body.writtenFeedback).toBe('Before it ended, and after');
});

test('what is typed is there again after a reload, and in another browser', async ({ signedIn, world }) => {
  await submit(world, await world.student(), { title: 'Begun' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const text = page.getByLabel('Written feedback');
  await text.fill('Half a thought');
  await page.reload();
  await expect(text).toHaveValue('Half a thought');
  await text.fill('Half a thought, and a whole one');
  await expect(page.getByText('Draft saved')).toBeVisible();

  const other = await signedIn(TEACHER);
  await other.goto('/admin');
  await expect(other.getByLabel('Written feedback')).toHaveValue('Half a thought, and a whole one');
  await other.getByLabel('Written feedback').fill('Changed on the phone');
  await expect(other.getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(text).toHaveValue('Changed on the phone');
});

test('words to a recording that was withdrawn while nobody looked are there when one comes back', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const begun = await submit(world, student, { title: 'Begun and withdrawn' });
  const answered = await submit(world, student, { title: 'Begun and answered' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = (title: string) => page.getByRole('article').filter({ hasText: title });
  for (const title of ['Begun and withdrawn', 'Begun and answered']) {
    await card(title).getByLabel('Written feedback').fill(`To ${title}`);
    await expect(card(title).getByText('Draft saved')).toBeVisible();
  }
  await page.goto('/melodies');
  await (await world.as(student)).delete(`/api/recordings/${begun}`);
  // From the phone, by the same teacher: nothing is left of that draft.
  await world.teacher.form('/api/feedback', { recordingId: answered, writtenFeedback: 'Sent elsewhere' });
  await page.goto('/admin');
  const left = card('Begun and withdrawn').getByRole('region', { name: 'Your reply' });
  await expect(left).toContainText('To Begun and withdrawn');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Put it away' }).click();
  await expect(page.getByText('All Caught Up')).toBeVisible();
});

test('what two browsers typed at once without a connection is shown, and nothing of it lost', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Typed twice' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Typed twice' });
  const text = card.getByLabel('Written feedback');
  await expect(text).toBeVisible();
  await page.context().setOffline(true);
  await text.fill('From here');
  await page.goto('about:blank');
  await page.context().setOffline(false);
  await world.teacher.put(`/api/admin/recordings/${id}/draft`, { text: 'From there', marks: [] });
  await page.goto('/admin');
  await expect(text).toHaveValue('From there');
  const besides = card.getByRole('status').filter({ hasText: 'and on this device too' });
  await expect(besides).toContainText('From here');
  await expectAccessible(page, 'a draft beside another');
  await besides.getByRole('button', { name: 'Use this one' }).click();
  await expect(text).toHaveValue('From here');
  await expect(besides).toContainText('From there');
  await besides.getByRole('button', { name: 'Put it away' }).click();
  await expect(besides).toHaveCount(0);
});
