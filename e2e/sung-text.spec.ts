import { expect, test } from './fixtures.ts';
import { addMelody, linesLit, openPlayer, setRate } from './player.ts';
import { SUNG_TEXT, STARTS, timings } from '../src/testing/sung-text.ts';

for (const rate of [1, 0.5])
  test(`at ${rate} times the speed the line that is sung is lit`, async ({ signedIn, world }) => {
    const { title } = await addMelody(world, { text: SUNG_TEXT, timings });
    const page = await signedIn(await world.student());
    await openPlayer(page, title);
    await expect(page.locator('[aria-current=true]')).toHaveCount(0);
    const watched = linesLit(page, STARTS, 4);
    await page.getByRole('button', { name: /Play from “Sangye/ }).click();
    await setRate(page, rate);
    const lit = await watched;
    expect(lit.map(({ line }) => line)).toEqual([0, 1, 2]);
    // The first was pressed, and is lit before its sound has come.
    for (const { framesLate, secondsEarly } of lit.slice(1)) {
      // As many as there are in 200 ms, on a machine that keeps up.
      expect(framesLate).toBeLessThanOrEqual(12);
      expect(secondsEarly).toBeLessThanOrEqual(0.2);
    }
    await expect(page.locator('.sung-text li').filter({ hasText: 'Dak gi jin' })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await expect(page.locator('.sung-text [aria-current]')).toHaveCount(1);
  });
