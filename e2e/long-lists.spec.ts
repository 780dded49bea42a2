import { submit } from './desk.ts';
import { expect, test } from './fixtures.ts';

/** More than one answer of the server holds. */
const MANY = 205;

test('a long history is there to its end, by keyboard, also when something comes in meanwhile', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const oldest = await submit(world, student, { title: 'The oldest' });
  await world.sql(
    `insert into recordings (student_id, title, audio_url, duration)
     select student_id, 'Number ' || n, audio_url, duration
     from recordings, generate_series(1, $2::int) as n where id = $1`,
    [oldest, MANY],
  );
  try {
    const page = await signedIn(student);
    await page.goto('/past-recordings');
    const cards = page.getByRole('article');
    await expect(cards).toHaveCount(200);
    const more = page.getByRole('button', { name: 'Load more' });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect(cards).toHaveCount(MANY + 1);
    await expect(more).toHaveCount(0);
    // One reads on where one was: at the first of those that came.
    const next = cards.filter({ has: page.getByRole('heading', { name: 'Number 5', exact: true }) });
    await expect(next).toBeFocused();

    // What another device sends moves the last one of the first answer on to the second.
    await submit(world, student, { title: 'The newest' });
    await expect(cards.first()).toContainText('The newest');
    await expect(cards).toHaveCount(MANY + 2);
    const titles = await cards.getByRole('heading', { level: 2 }).allTextContents();
    expect(new Set(titles).size).toBe(MANY + 2);
  } finally {
    await world.sql(`delete from recordings where student_id = $1 and title like 'Number %'`, [student.id]);
  }
});
