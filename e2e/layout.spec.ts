import type { Locator, Page } from '@playwright/test';
import { createTone } from '#testing/tone.ts';
import { VIEWPORT_SIZES } from '#testing/viewport-sizes.ts';
import { expect, TEACHER_CREDENTIALS, test, type World } from './fixtures.ts';
import { submitRecording } from './inbox.ts';
import { findLayoutFaults } from './layout-faults.ts';

const LONG_TITLE = 'Calling the Lama from Afar, as it was sung at the Rinpochenpungpa retreat of 1987';

for (const textSize of ['normal', 'larger'] as const)
  test(`no page has cut-off text, overlapping text or small controls (text size ${textSize})`, async ({
    world,
    visitor,
    signedIn,
  }) => {
    const { student, melodyId } = await fill(world);
    const faults: string[] = [];
    const look = async (page: Page, path: string, prepare?: (page: Page) => Promise<void>) => {
      await page.goto(path);
      await expect(page.locator('main, [role=dialog]').first()).toBeVisible();
      await prepare?.(page);
      await page.evaluate(() => document.fonts.ready);
      for (const [width, height] of VIEWPORT_SIZES) {
        await page.setViewportSize({ width, height });
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))),
        );
        const found = await page.evaluate(findLayoutFaults);
        faults.push(...found.map((fault) => `${path} ${width}×${height}: ${fault}`));
      }
    };
    const withTextSize = async (page: Page) => {
      await page.addInitScript((size) => localStorage.setItem('text-size', size), textSize);
      return page;
    };

    await test.step('a visitor’s pages have no layout faults', async () => {
      const page = await withTextSize(await visitor());
      await look(page, '/');
      await look(page, '/?tab=request', async () =>
        page.getByRole('tab', { name: 'Request Access' }).click(),
      );
      await look(page, '/forgot-password');
      await look(page, '/reset-password?token=abc');
      await look(page, '/reset-password');
    });

    await test.step('a student’s pages have no layout faults', async () => {
      const page = await withTextSize(await signedIn(student));
      await look(page, '/', async () => expect(page.getByText('Your Sacred Journey')).toBeVisible());
      await look(page, '/melodies', async () => expect(page.getByText(LONG_TITLE).first()).toBeVisible());
      await look(page, `/melodies?play=${melodyId}`, async () =>
        expect(page.getByRole('region', { name: /^Words of/ })).toBeVisible(),
      );
      for (const path of ['/submit', '/feedback', '/past-recordings', '/change-password', '/nowhere'])
        await look(page, path, async () => expect(page.getByRole('heading', { level: 1 })).toBeVisible());
    });

    await test.step('the teacher’s pages have no layout faults', async () => {
      const page = await withTextSize(await signedIn(TEACHER_CREDENTIALS));
      for (const path of [
        '/',
        '/melodies',
        '/admin',
        '/past-feedback',
        '/admin/registrations',
        '/admin/add-melody',
        '/admin/users',
        '/admin/invite',
        '/change-password',
      ])
        await look(page, path, async () => expect(page.getByRole('heading', { level: 1 })).toBeVisible());
      await look(page, '/admin', async () => {
        await page
          .getByRole('button', { name: /^Snooze/ })
          .first()
          .click();
        await expect(page.getByRole('dialog', { name: 'Snooze until' })).toBeVisible();
      });
      await look(page, '/admin/users', async () => {
        await page
          .getByRole('link', { name: /Kelsang-Wangmo/ })
          .first()
          .click();
        await expect(page.getByRole('group', { name: 'Transmission levels' })).toBeVisible();
      });
    });

    expect(faults).toEqual([]);
  });

test('at 320 px with larger text, the buttons of a library row are below its title', async ({
  world,
  signedIn,
}) => {
  const { student } = await fill(world);
  const page = await signedIn(student);
  await page.addInitScript(() => localStorage.setItem('text-size', 'larger'));
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/melodies');
  // Chooses the first row with this title, because each test in this file creates one.
  const row = page.getByRole('listitem').filter({ hasText: LONG_TITLE }).first();
  const icon = row.getByRole('button', { name: /^More about/ }).locator('svg');
  await expect(icon).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const title = (await row.getByRole('heading').getByRole('button').boundingBox())!;
  expect((await icon.boundingBox())!.y).toBeGreaterThanOrEqual(title.y + title.height);
});

test('on a phone, the submit form starts no lower than the list of past recordings', async ({
  world,
  signedIn,
}) => {
  const { student } = await fill(world);
  const page = await signedIn(student);
  await page.setViewportSize({ width: 390, height: 844 });
  const measureTop = async (path: string, first: Locator) => {
    await page.goto(path);
    await expect(first).toBeVisible();
    return (await first.boundingBox())!.y;
  };
  const others = await measureTop('/past-recordings', page.getByRole('article').first());
  expect(await measureTop('/submit', page.getByText('Melody (optional)'))).toBeLessThanOrEqual(others);
});

/** Creates a community whose titles, names and words are long, in Latin and Tibetan script. */
async function fill(world: World) {
  const text =
    'བཀྲ་ཤིས་བདེ་ལེགས་ཕུན་སུམ་ཚོགས།\nTashi delek phunsum tsog\nen: May all be well and complete\n\nOne more line';
  const levels = ['Open to All', 'Lung (Reading Transmission)'];
  const { id: lung } = await world.level(levels[1] ?? '');
  const addMelody = (title: string, more: object = {}) =>
    world.addMelody({
      title,
      melodyText: text,
      audioFile: { bytes: createTone(20), name: 'song.wav' },
      ...more,
    });
  const { id: melodyId } = await addMelody(LONG_TITLE, {
    description: LONG_TITLE,
    transmissionLevelId: lung,
  });
  await addMelody('གསོལ་འདེབས།');
  await world.addMelody({ title: 'Without audio' });
  const student = await world.student({ firstName: 'Kelsang-Wangmo', lastName: 'Rinchen Tsering' }, levels);
  const message = 'I sang it as on the recording, but the second half was not easy.';
  const answered = await submitRecording(world, student, { title: LONG_TITLE, melodyId, message });
  await world.teacher.form('/api/feedback', { recordingId: answered, writtenFeedback: message });
  await submitRecording(world, student, { title: LONG_TITLE, melodyId, message });
  await submitRecording(world, student, { title: 'Seven Line Prayer' });
  await world.teacher.post('/api/register-request', {
    fullName: LONG_TITLE.slice(0, 60),
    email: 'a.long.address@monastery.example.org',
  });
  return { student, melodyId };
}
