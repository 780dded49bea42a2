import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestCredentials } from '#testing/community.ts';
import { MAX_RECORDING_SECONDS } from '#web/audio/recording-format.ts';

/** Maximum time for a recording to get from the device to the server. */
const ARRIVAL_TIMEOUT_MS = 60_000;
/** Time for which the device's storage must stay empty before everything counts as sent. */
const QUIET_MS = 4_000;

export async function signIn(page: Page, { username, password }: TestCredentials) {
  const answer = await page.request.post('/api/login', { data: { username, password } });
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}`);
}

/**
 * Fills in the form with an audio file instead of a recording. This also makes the page load its on-demand
 * code.
 */
export async function chooseSubmissionFile(page: Page, title: string, song: Buffer) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const file = { name: 'song.wav', mimeType: 'audio/wav', buffer: song };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: /^Play/ }).first().waitFor();
}

/**
 * Returns the length of the recording in seconds, from the page's progress ring, which is more precise than
 * the page's clock.
 */
export async function readRecordedSeconds(page: Page): Promise<number> {
  const filled = await page.evaluate(() => {
    const ring = document.querySelector('circle[stroke-dashoffset]');
    if (!ring) return 0;
    return 1 - Number(ring.getAttribute('stroke-dashoffset')) / Number(ring.getAttribute('stroke-dasharray'));
  });
  return filled * MAX_RECORDING_SECONDS;
}

/**
 * Acts as a returning student: signs in, accepts the recording that is offered, and submits it. Ends when the
 * device is empty and the server has the recording, when the device has been empty for QUIET_MS, or after a
 * timeout.
 * @returns the numbers of takes and chunks that the device still stores
 */
export async function submitOfferedTake(
  page: Page,
  person: TestCredentials,
  countArrived: () => Promise<number>,
) {
  await signIn(page, person);
  await page.goto('/submit');
  const submit = page.getByRole('button', { name: 'Submit to the teacher' });
  await submit.waitFor();
  const offered = page.getByRole('button', { name: 'Use this recording' });
  const until = Date.now() + ARRIVAL_TIMEOUT_MS;
  let emptySince: number | null = null;
  for (;;) {
    if (await offered.isVisible()) {
      await offered.click();
      const title = page.getByLabel('Title');
      if ((await title.inputValue()) === '') await title.fill('Cut off');
      await submit.click();
    }
    const left = await countTakesAndChunksOnDevice(page);
    emptySince = left.takes === 0 ? (emptySince ?? Date.now()) : null;
    if (emptySince !== null && (await countArrived()) > 0) return left;
    if (emptySince !== null && Date.now() - emptySince > QUIET_MS) return left;
    if (Date.now() > until) return left;
    await wait(150);
  }
}

/** Counts what the device stores, bypassing the application. */
export const countTakesAndChunksOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const known = await (globalThis.indexedDB as IDBFactory | undefined)?.databases();
    // Does not open a missing database, because that would create it without its stores.
    if (!known?.some(({ name }) => name === 'takes')) return { takes: 0, chunks: 0 };
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('The store failed'));
      });
    const db = await answered(indexedDB.open('takes'));
    const reading = db.transaction(['takes', 'pieces'], 'readonly');
    const [takes, chunks] = await Promise.all([
      answered(reading.objectStore('takes').count()),
      answered(reading.objectStore('pieces').count()),
    ]);
    db.close();
    return { takes, chunks };
  });
