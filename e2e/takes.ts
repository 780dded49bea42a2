import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/**
 * Waits until the page shows that this many seconds (at most 9) are recorded. The audio may be shorter,
 * because a busy machine skips some.
 */
export const waitUntilRecorded = (page: Page, seconds: number) =>
  expect(page.getByText(new RegExp(`^Recording · 1:5[0-${10 - seconds}] left`))).toBeVisible();

/** Returns the names of the recordings and chosen files that the device stores. */
export const listTakeNames = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('takes');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error!);
    });
    const takes = await new Promise<{ name: string }[]>((resolve) => {
      const asking = db.transaction('takes').objectStore('takes').getAll();
      asking.onsuccess = () => resolve(asking.result as { name: string }[]);
    });
    db.close();
    return takes.map(({ name }) => name);
  });
