import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test } from './fixtures.ts';

const MANY = 5_000;
/** 61 characters without a blank, in one field. */
const LONG = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';

test('among thousands of users a few letters find one, and the page stays a page', async ({
  signedIn,
  world,
}) => {
  await world.sql(
    `insert into users (id, email, username, password, first_name, last_name, role, is_active)
     select gen_random_uuid()::text, 'many.' || n || '@example.org', 'many.' || n, 'x',
       case n % 7 when 0 then $2 else 'Tashi' end, 'Number' || n, 'student', true
     from generate_series(1, $1::int) n`,
    [MANY, LONG],
  );
  try {
    for (const width of [1440, 390]) {
      const page = await signedIn(TEACHER, { viewport: { width, height: 844 } });
      await page.goto('/admin/users');
      await expect(page.getByText(/5,\d\d\d users/).first()).toBeVisible();
      await expectNoSidewaysScroll(page, `${MANY} users at ${width} px`);
      await page.getByLabel('Search users').focus();
      for (const key of ['4', '3', '2', '1']) {
        console.log(`${width} px, '${key}': ${await paintedAfter(page, key)} ms from key to paint`);
      }
      await expect(page.getByRole('region', { name: 'Users' }).getByRole('listitem')).toHaveCount(1);
      await page.getByLabel('Search users').fill('LHUNDRUP number7');
      await expect(page.getByRole('link', { name: /many\.7\b/ })).toBeVisible();
    }
  } finally {
    await world.sql(`delete from users where username like 'many.%'`);
  }
});

/** From the press of a key until the browser has painted what it found. Printed and not asserted: machines differ. */
async function paintedAfter(page: Page, key: string) {
  await page.evaluate(() => {
    const results = document.querySelector('section[aria-label="Users"] ul')!;
    const measure = { pressed: 0, painted: 0 };
    Object.assign(window, { measure });
    addEventListener('keydown', () => (measure.pressed = performance.now()), { once: true, capture: true });
    const changed = new MutationObserver(() => {
      changed.disconnect();
      // The frame after the one in which the rows are drawn begins when that one has been painted.
      requestAnimationFrame(() => requestAnimationFrame(() => (measure.painted = performance.now())));
    });
    changed.observe(results.parentElement!.parentElement!, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await page.keyboard.press(key);
  await page.waitForFunction(() => (window as unknown as Measured).measure.painted > 0);
  return page.evaluate(() => {
    const { measure } = window as unknown as Measured;
    return Math.round(measure.painted - measure.pressed);
  });
}

type Measured = { measure: { pressed: number; painted: number } };
