import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_SECONDS } from '../src/platform/web/audio/recording-format.ts';
import type { Person } from './community.ts';
import { EMPTY_PAGE } from './gate.ts';

/** How long a take may need from the device to the server, and how long of nothing happening counts as stalled. */
const PATIENCE_MS = 60_000;
const QUIET_MS = 4_000;

export async function signIn(page: Page, { username, password }: Person) {
  const answer = await page.request.post('/api/login', { data: { username, password } });
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}`);
}

/** Fills in the form with a file instead of a recording; code that is loaded on demand is loaded then. */
export async function chooseFile(page: Page, title: string, song: Buffer) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const file = { name: 'song.wav', mimeType: 'audio/wav', buffer: song };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: /^Play/ }).first().waitFor();
}

/** The recorder's length as shown by the page: its ring is finer than its clock. */
export async function shownSeconds(page: Page): Promise<number> {
  const filled = await page.evaluate(() => {
    const ring = document.querySelector('circle[stroke-dashoffset]');
    if (!ring) return 0;
    return 1 - Number(ring.getAttribute('stroke-dashoffset')) / Number(ring.getAttribute('stroke-dasharray'));
  });
  return filled * MAX_SECONDS;
}

/**
 * Does what somebody does who comes back: signs in, accepts the recording that is offered, and submits it. Ends when
 * the device has nothing more and the server has it, or when it fails.
 * @returns what the device still stores
 */
export async function comeBack(page: Page, person: Person, arrived: () => Promise<number>) {
  await signIn(page, person);
  await page.goto('/submit');
  await page.getByRole('button', { name: 'Submit to the teacher' }).waitFor();
  const offered = page.getByRole('button', { name: 'Use this recording' });
  const until = Date.now() + PATIENCE_MS;
  let emptySince: number | null = null;
  for (;;) {
    if (await offered.isVisible()) {
      await offered.click();
      const title = page.getByLabel('Title');
      if ((await title.inputValue()) === '') await title.fill('Cut off');
      await page.getByRole('button', { name: 'Submit to the teacher' }).click();
    }
    const left = await leftOnDevice(page);
    const isEmpty = left.takes === 0;
    emptySince = isEmpty ? (emptySince ?? Date.now()) : null;
    if (isEmpty && (await arrived()) > 0) return left;
    if (emptySince !== null && Date.now() - emptySince > QUIET_MS) return left;
    if (Date.now() > until) return left;
    await wait(150);
  }
}

/** In words, what the device stores before the application has run. */
export async function onDevice(page: Page): Promise<string> {
  await page.goto(EMPTY_PAGE);
  const { states } = await leftOnDevice(page);
  return states.length === 0 ? 'nothing on the device' : `'${states.join(', ')}' on the device`;
}

/** What the device's store holds, bypassing the application. */
export const leftOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const none = { takes: 0, chunks: 0, states: [] as string[] };
    const known = await (globalThis.indexedDB as IDBFactory | undefined)?.databases();
    // Opening a missing database would create it, without its stores.
    if (!known?.some(({ name }) => name === 'takes')) return none;
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('The store failed'));
      });
    const db = await answered(indexedDB.open('takes'));
    const reading = db.transaction(['takes', 'pieces'], 'readonly');
    const [takes, chunks] = await Promise.all([
      answered(reading.objectStore('takes').getAll() as IDBRequest<{ state: string }[]>),
      answered(reading.objectStore('pieces').count()),
    ]);
    db.close();
    return { takes: takes.length, chunks, states: takes.map(({ state }) => state) };
  });
