import type { Page } from '@playwright/test';
import { expect, test, type Student, type World } from './fixtures.ts';
import { cardOf, picture } from './melodies.ts';
import { tone } from '../src/testing/tone.ts';

const SECONDS = 8;

/** A melody with all there is to keep, of a level of its own. */
async function addToLevel(world: World, level: { id: number }, title: string) {
  const added = await world.teacher.form('/api/melodies', {
    title,
    transmissionLevelId: level.id,
    melodyText: 'Sangye chö dang\nJangchub bardu',
    audioFile: { bytes: tone(SECONDS), name: 'song.wav' },
    thumbnail: { bytes: picture.buffer, name: picture.name },
  });
  expect(added.status).toBe(201);
  const id = added.body.id as number;
  const timings = JSON.stringify([
    { line: 0, start: 1 },
    { line: 1, start: 3 },
  ]);
  expect((await world.teacher.form(`/api/melodies/${id}`, { timings }, { method: 'PUT' })).status).toBe(200);
  return { id, audioUrl: added.body.audioUrl as string };
}

async function makeRetreat(world: World, titles: string[]) {
  const name = `Level ${crypto.randomUUID().slice(0, 8)}`;
  const { body: level } = await world.teacher.post('/api/admin/transmission-levels', { name });
  const student = await world.student(undefined, [name]);
  const melodies = [];
  for (const title of titles) melodies.push(await addToLevel(world, level as { id: number }, title));
  return { student, level: level as { id: number; name: string }, melodies };
}

type SignedIn = (person: Student, options: { serviceWorkers: 'allow' }) => Promise<Page>;

/** The library, with the service worker in charge. */
async function openLibrary(signedIn: SignedIn, student: Student) {
  const page = await signedIn(student, { serviceWorkers: 'allow' });
  await page.goto('/melodies');
  await page.evaluate(() => navigator.serviceWorker.ready);
  return page;
}

const keepOf = (page: Page, title: string) =>
  page.getByRole('button', { name: `Keep ${title} on this device` });

async function keep(page: Page, title: string) {
  await keepOf(page, title).click();
  await expect(cardOf(page, title).getByText('kept', { exact: false })).toBeVisible();
}

/** What lies in IndexedDB, read past the program: how many of each, and all bytes as text. */
const raw = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('pack');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
    const of = (name: string) =>
      new Promise<Record<string, unknown>[]>((resolve) => {
        const request = db.transaction(name).objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result);
      });
    const [owner, entries, chunks] = [await of('owner'), await of('entries'), await of('chunks')];
    db.close();
    const decoder = new TextDecoder('latin1');
    const text = (value: unknown): string => {
      if (value instanceof ArrayBuffer) return decoder.decode(value);
      if (ArrayBuffer.isView(value)) return decoder.decode(value);
      if (value && typeof value === 'object') return Object.values(value).map(text).join(' ');
      return String(value);
    };
    return {
      counts: { owner: owner.length, entries: entries.length, chunks: chunks.length },
      text: [...owner, ...entries, ...chunks].map(text).join('\n'),
    };
  });

const NOTHING = { owner: 0, entries: 0, chunks: 0 };

test('a melody that is kept is practised in airplane mode, after the page was opened anew, with sound, loop, words and picture', async ({
  signedIn,
  world,
}) => {
  const { student } = await makeRetreat(world, ['Seven Line Prayer', 'Not kept']);
  const page = await openLibrary(signedIn, student);
  await keep(page, 'Seven Line Prayer');
  expect((await raw(page)).counts).toMatchObject({ owner: 1, entries: 1 });

  await page.context().setOffline(true);
  await page.goto('/melodies');
  await expect(page.getByText('No connection just now.')).toBeVisible();
  await expect(cardOf(page, 'Seven Line Prayer')).toBeVisible();
  await expect(cardOf(page, 'Not kept')).toHaveCount(0);
  const image = cardOf(page, 'Seven Line Prayer').locator('img');
  await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Advanced Player of Seven Line Prayer' }).click();
  const player = page.getByRole('dialog', { name: 'Seven Line Prayer' });
  await expect(player.getByText('Jangchub bardu')).toBeVisible();
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  const audio = player.locator('audio');
  const at = () => audio.evaluate((one: HTMLAudioElement) => one.currentTime);
  await expect.poll(at).toBeGreaterThan(0.5);
  // Far past what has been read so far, and back: by Range.
  await audio.evaluate((one: HTMLAudioElement) => (one.currentTime = 7));
  await expect
    .poll(() => audio.evaluate((one: HTMLAudioElement) => one.currentTime > 7 && !one.seeking))
    .toBe(true);

  await page.context().setOffline(false);
  await page.keyboard.press('Escape');
  await expect(cardOf(page, 'Not kept')).toBeVisible();
  await expect(page.getByText('No connection just now.')).toHaveCount(0);
});
