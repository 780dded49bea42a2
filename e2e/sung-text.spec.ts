import { expect, test } from './fixtures.ts';
import { addMelody, linesLit, openPlayer, setRate } from './player.ts';

const TEXT = [
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས་ཀྱི་མཆོག་རྣམས་ལ།',
  'Sangye chö dang tsok kyi chok nam la',
  'en: In the Buddha, the Dharma and the supreme assembly',
  'bo: བྱང་ཆུབ་བར་དུ་བདག་ནི་སྐྱབས་སུ་མཆི།',
  'Jangchub bardu dak ni kyab su chi',
  'en: I take refuge until awakening',
  '',
  'bo: བདག་གིས་སྦྱིན་སོགས་བགྱིས་པའི་བསོད་ནམས་ཀྱིས།',
  'Dak gi jin sok gyi pe sönam kyi',
  'en: By the merit of my giving and the rest',
].join('\n');
const LINES = [0, 3, 7];
const STARTS = [0.5, 2, 3.5];
const timings = LINES.map((line, i) => ({ line, start: STARTS[i]! }));

for (const rate of [1, 0.5])
  test(`at ${rate} times the speed the line that is sung is lit`, async ({ signedIn, world }) => {
    const { title } = await addMelody(world, { text: TEXT, timings });
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
