import { submit } from './inbox.ts';
import { expect, test, type Student, type World } from './fixtures.ts';

/** More than one answer of the server holds. */
const MANY = 205;

test('a long history is there to its end, by keyboard, also when something comes in meanwhile', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  await submitMany(world, student);
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

test('more of a list comes also when the list is asked anew in the middle of it', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  await submitMany(world, student);
  try {
    const page = await signedIn(student);
    let asked = 0;
    let letGo = () => {};
    await page.route('**/api/student/recordings?*before=*', async (route) => {
      asked += 1;
      // The first is on its way until it is broken off.
      if (asked === 1) await new Promise<void>((resolve) => (letGo = resolve));
      await route.continue().catch(() => undefined);
    });
    const stream = page.waitForResponse('**/api/events');
    await page.goto('/past-recordings');
    const cards = page.getByRole('article');
    await expect(cards).toHaveCount(200);
    await stream;
    await page.waitForLoadState('load');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => asked).toBe(1);
    await submit(world, student, { title: 'The newest' });
    await expect(cards.first()).toContainText('The newest');
    letGo();
    await expect(cards).toHaveCount(MANY + 2);
  } finally {
    await world.sql(`delete from recordings where student_id = $1 and title like 'Number %'`, [student.id]);
  }
});

test('a past recording leads to its answer, also far back and when the list comes late', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const oldest = await submit(world, student, { title: 'Answered long ago' });
  // Recordings with their answers, the oldest first; but the newest recording got the oldest answer.
  await world.sql(
    `with sung as (
       insert into recordings (student_id, title, audio_url, duration, status, created_at)
       select student_id, 'Number ' || n, audio_url, duration, 'reviewed', now() - interval '2 days'
       from recordings, generate_series(1, $2::int) as n where id = $1 returning id
     )
     insert into feedback (recording_id, admin_id, written_feedback, status)
     select sung.id, users.id, 'Well sung.', 'read' from sung, users where role = 'admin'
     order by (select max(id) from sung) = sung.id desc, sung.id`,
    [oldest, MANY],
  );
  try {
    const page = await signedIn(student, { viewport: { width: 390, height: 844 } });
    await page.goto('/past-recordings');
    const card = page.getByRole('article').first();
    await expect(card).toContainText(`Number ${MANY}`);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/feedback', async (route) => {
      await held.promise;
      await route.continue();
    });
    await card.getByRole('link', { name: 'View Feedback' }).click();
    await expect(page).toHaveURL(/\/feedback\?recording=\d+$/);
    await expect(page.getByRole('heading', { name: 'View Feedback', level: 1 })).toBeFocused();
    held.resolve();
    const answer = page.getByRole('heading', { name: `Number ${MANY}`, exact: true });
    await expect(answer).toBeFocused();
    await expect(answer).toBeInViewport();

    await test.step('the menu leads to the beginning of the list', async () => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /View Feedback/ })
        .click();
      await expect(page).toHaveURL(/\/feedback$/);
      await expect(page.getByRole('heading', { name: `Number ${MANY - 1}`, exact: true })).toBeInViewport();
    });
    await test.step('an answer that is not there leads nowhere', async () => {
      await page.goto('/feedback?recording=999999');
      await expect(page.getByRole('article')).toHaveCount(MANY);
      await expect(page.getByRole('heading', { name: `Number ${MANY - 1}`, exact: true })).toBeInViewport();
    });
  } finally {
    await world.sql(
      `delete from feedback where recording_id in (select id from recordings where student_id = $1)`,
      [student.id],
    );
    await world.sql(`delete from recordings where student_id = $1 and title like 'Number %'`, [student.id]);
  }
});

/** One recording, and `MANY` after it of the same sound. */
async function submitMany(world: World, student: Student) {
  const oldest = await submit(world, student, { title: 'The oldest' });
  await world.sql(
    `insert into recordings (student_id, title, audio_url, duration, created_at)
     select student_id, 'Number ' || n, audio_url, duration, now() - interval '2 days'
     from recordings, generate_series(1, $2::int) as n where id = $1`,
    [oldest, MANY],
  );
}
