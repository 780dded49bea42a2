import { expect, onTestFinished, test } from 'vitest';
import { api } from '#app/api.ts';
import { mockEndpoint, breakConnection, getCalls, loseNextResponse } from '#testing/browser/fake-api.ts';
import {
  buildMelody,
  buildTeacher,
  buildCompleteMelody,
  mockLibrary,
  LUNG_LEVEL,
  type MelodyFixture,
  REFUGE_LEVEL,
} from '#testing/browser/community.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { melodyCards } from '#testing/browser/melody-cards.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectUrl, expectCount, expectTexts, page, pressKeyOn } from '#testing/browser/screen.ts';

const TABLE = '/melodies?view=table';
const LONG = 'Prayer to the Lineage of the Great Perfection, in Seven Branches and Many Words';
const user = buildTeacher();
const titles = page.css('tbody [data-player-of]');
const heading = (name: string) => page.getByRole('columnheader', { name });
const filter = (name: string) => page.getByRole('button', { name });
const box = (title: string) => page.getByRole('checkbox', { name: `Select ${title}` });
const question = page.getByRole('dialog');

const timings = [{ line: 0, start: 1 }];
const [whole, bare, sung] = [
  buildCompleteMelody('Refuge', { level: REFUGE_LEVEL, melodyText: 'Om', timings }),
  buildMelody('Mani'),
  buildCompleteMelody(LONG, { duration: 5, melodyText: 'ཨོཾ', level: LUNG_LEVEL }),
];
const counts: Record<number, number> = { [whole.id]: 1, [sung.id]: 12 };

/** Mocks a library that tests can change. */
function serveChangeableLibrary(...melodies: MelodyFixture[]) {
  mockLibrary(melodies);
  mockEndpoint(api.melodies.use, () =>
    melodies.map(({ id, timings }) => ({
      ...{ id, isTimed: timings !== null },
      recordingCount: counts[id] ?? 0,
    })),
  );
}

test('sorting and filtering the table works by keyboard and survives a reload', async () => {
  serveChangeableLibrary(whole, bare, sung);
  await renderPage('/melodies', { user });
  await expectCount(melodyCards, 3);
  await pressKeyOn(filter('Table'), 'Enter');
  await expectTexts(titles, ['Refuge', 'Mani', LONG]);
  await expectTexts(page.css('tbody tr:first-child td'), [
    'Select Refuge',
    ...['Refuge', 'Refuge', /^0:20/, 'yes', 'yes', 'yes', 'yes', /^1 recording of Refuge: common/, ''],
  ]);
  for (const [sort, expected] of [
    ['ascending', ['Mani', LONG, 'Refuge']],
    ['descending', ['Refuge', LONG, 'Mani']],
    ['none', ['Refuge', 'Mani', LONG]],
  ] as const) {
    await pressKeyOn(heading('Length').getByRole('button'), 'Enter');
    await expect.element(heading('Length')).toHaveAttribute('aria-sort', sort);
    await expectTexts(titles, [...expected]);
  }
  await pressKeyOn(heading('Recordings').getByRole('button'), 'Enter');
  await pressKeyOn(filter('2 without timing'), 'Enter');
  await expectTexts(titles, ['Mani', LONG]);
  await pressKeyOn(filter('1 without picture'), 'Enter');
  await expectTexts(titles, ['Mani']);
  await expectUrl(/view=table&sort=recordings&without=timing%2Cpicture$/);
  await reloadPage();
  await expectTexts(titles, ['Mani']);
  await expect.element(heading('Recordings')).toHaveAttribute('aria-sort', 'ascending');
  await pressKeyOn(filter('Cards'), 'Enter');
  await expectCount(melodyCards, 3);

  const asked = getCalls(api.melodies.use).length;
  await renderPage(TABLE);
  await expectCount(melodyCards, 3);
  await expectCount(page.getByRole('group', { name: 'View' }), 0);
  expect(getCalls(api.melodies.use).length, 'a student fetches no usage counts').toBe(asked);
});

test('the table fits every screen, and “Try again” reloads counts that failed to load', async () => {
  serveChangeableLibrary(whole, bare, sung);
  await renderPage(TABLE, { user });
  await expectCount(titles, 3);
  await box('Mani').click();
  await box('Refuge').click();
  await expectAccessibleWithoutOverflow('several are chosen');
  await page.viewport(390, 844);
  await page.getByLabelText('Sort by').selectOptions('Title');
  await expectTexts(titles, ['Mani', LONG, 'Refuge']);
  await pressKeyOn(page.getByRole('button', { name: 'Reverse order' }), 'Enter');
  await expectTexts(titles, ['Refuge', LONG, 'Mani']);

  const mend = breakConnection(api.melodies.use);
  await renderPage(TABLE, { user });
  const failure = page.getByText(/^Couldn’t load line timings/);
  await expect.element(failure).toBeVisible();
  mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectCount(failure, 0);
});

test('a bulk level change can be retried after a lost response, and lists failures', async () => {
  serveChangeableLibrary(whole, bare, sung);
  mockEndpoint(api.melodies.changeMany, ({ body }) => ({
    ...{ successCount: 1, failureCount: 1 },
    results: (body['melodyIds'] as number[]).map((id) =>
      id === bare.id ? { id, ok: false, message: 'This melody no longer exists.' } : { id, ok: true },
    ),
  }));
  loseNextResponse(api.melodies.changeMany);
  await renderPage(TABLE, { user });
  await pressKeyOn(box('Refuge'), ' ');
  await pressKeyOn(box('Mani'), ' ');
  await pressKeyOn(page.getByRole('button', { name: 'Change level' }), 'Enter');
  await expect.element(question.getByText('Change level of 2 melodies')).toBeVisible();
  await question.getByLabelText('Transmission level').selectOptions(LUNG_LEVEL.name);
  const confirm = question.getByRole('button', { name: 'Change level' });
  await pressKeyOn(confirm, 'Enter');
  await expect
    .element(question.getByText(/You can safely try again\. Nothing is changed twice\.$/))
    .toBeVisible();
  await pressKeyOn(confirm, 'Enter');
  await expect.element(page.getByText(`1 moved to ${LUNG_LEVEL.name}, 1 failed`)).toBeVisible();
  await expect.element(page.getByText('Mani: This melody no longer exists.')).toBeVisible();
  const [lost, again] = getCalls(api.melodies.changeMany).map(({ body }) => body);
  expect(again).toEqual(lost);
  expect(again).toEqual({
    ...{ melodyIds: [whole.id, bare.id], change: 'level' },
    transmissionLevelId: LUNG_LEVEL.id,
  });
  await expectCount(page.getByText('selected'), 0);
});

test('bulk delete lists the melodies and their files before deleting them', async () => {
  const all = [whole, bare, sung];
  serveChangeableLibrary(...all);
  mockEndpoint(api.melodies.changeMany, ({ body }) => {
    const ids = body['melodyIds'] as number[];
    serveChangeableLibrary(...all.filter(({ id }) => !ids.includes(id)));
    return { successCount: 2, failureCount: 0, results: ids.map((id) => ({ id, ok: true })) };
  });
  await renderPage(TABLE, { user });
  await expectCount(titles, 3);
  // A melody that was selected before a filter hid it is still listed.
  await box('Refuge').click();
  await filter('2 without timing').click();
  await box(LONG).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(question.getByText('Delete 2 melodies?')).toBeVisible();
  await expect
    .element(
      question.getByText(
        'This also deletes 2 texts, 2 audio files and 2 pictures, which can’t be recovered. 13 student recordings stay and keep their titles.',
      ),
    )
    .toBeVisible();
  await expectTexts(question.getByRole('listitem'), ['Refuge', LONG]);
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('2 deleted')).toBeVisible();
  await expectTexts(titles, ['Mani']);
});

test('the buttons of the delete dialog stay visible when it lists very many melodies', async () => {
  serveChangeableLibrary(...Array.from({ length: 151 }, (_, n) => buildMelody(`Song ${n + 1}`)));
  await renderPage(TABLE, { user });
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(question.getByText('Delete 151 melodies?')).toBeVisible();
  await expectCount(question.getByRole('listitem'), 151);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
    [320, 568],
  ] as const) {
    await page.viewport(width, height);
    for (const name of ['Cancel', 'Delete']) {
      const button = question.getByRole('button', { name, exact: true });
      await expect.poll(() => button.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(height);
    }
  }
});

test.for([1280, 1440])('with larger text, the table stays inside the page at %i px', async (width) => {
  document.documentElement.dataset['textSize'] = 'larger';
  onTestFinished(() => void delete document.documentElement.dataset['textSize']);
  await page.viewport(width, 800);
  serveChangeableLibrary(whole, bare, sung);
  await renderPage(TABLE, { user });
  await expectCount(titles, 3);
  await document.fonts.ready;
  const right = (element: Element) => element.getBoundingClientRect().right;
  const table = page.getByRole('table', { name: 'Melodies' }).element();
  expect(right(table)).toBeLessThanOrEqual(right(table.parentElement!) + 1);
});
