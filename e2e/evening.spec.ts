import { addMelody, answerAll, focusFirstCard, submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';

test('an evening of ten answers by keyboard alone: four strokes for each phrase, and three together in seven', async ({
  signedIn,
  world,
}) => {
  await answerAll(world);
  const [tashi, ani] = [
    await world.student({ firstName: 'Tashi', lastName: 'Dolma' }),
    await world.student({ firstName: 'Ani', lastName: 'Pema' }),
  ];
  const melodyId = await addMelody(world);
  const ids: number[] = [];
  for (let i = 1; i <= 10; i += 1)
    ids.push(await submit(world, i % 2 === 1 ? tashi : ani, { title: `Evening ${i}`, melodyId, seconds: 1 }));
  const phrase = { name: 'breath', text: 'Let each line end, {name}.' };
  expect((await world.teacher.post('/api/admin/phrases', phrase)).status).toBe(201);

  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await focusFirstCard(page, 'Evening 1');
  let strokes = 0;
  const stroke = async (...chords: string[]) => {
    for (const chord of chords) {
      strokes += 1;
      await page.keyboard.press(chord);
    }
  };
  const phrases = page.getByRole('listbox', { name: 'Phrases' });
  for (let i = 1; i <= 7; i += 1) {
    await expect(page.getByRole('heading', { name: `Evening ${i}`, exact: true })).toBeFocused();
    await stroke('t', 'b');
    await expect(phrases.getByRole('option').first()).toContainText('/breath');
    await stroke('Enter', 'Control+Enter');
  }
  await expect(page.getByRole('heading', { name: 'Evening 8', exact: true })).toBeFocused();
  expect(strokes).toBe(7 * 4);

  await stroke('x');
  await expect(page.getByRole('checkbox', { name: /Evening 8/ })).toBeFocused();
  await stroke('Tab', 'Space', 'Tab', 'Space', 'Tab');
  await expect(page.getByLabel('Written feedback')).toBeFocused();
  await page.keyboard.type('Thank you, {name}.');
  await stroke('Control+Enter');
  await expect(page.getByText('All Caught Up')).toBeVisible();
  await expect(page.getByText('Sent 3 answers', { exact: true })).toBeVisible();
  expect(strokes).toBe(7 * 4 + 7);
  await page.close();

  // Some have gone out already, and the others do so by themselves: also between these two, so in this order.
  type Answer = { recordingId: number; writtenFeedback: string };
  const held = (await world.teacher.get('/api/admin/feedback/held')).body as Answer[];
  const given = (await world.teacher.get('/api/admin/feedback')).body as Answer[];
  const wordsOn = new Map([...given, ...held].map((each) => [each.recordingId, each.writtenFeedback]));
  expect(ids.map((id) => wordsOn.get(id))).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7].map((i) => `Let each line end, ${i % 2 === 1 ? 'Tashi' : 'Ani'}.`),
    ...['Ani', 'Tashi', 'Ani'].map((name) => `Thank you, ${name}.`),
  ]);
});
