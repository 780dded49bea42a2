import type { Page } from '@playwright/test';

/** What the device keeps of each recording and chosen file: its name, and what was typed to go along with it. */
export const takesOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('takes');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error!);
    });
    const takes = await new Promise<{ name: string; sending?: unknown }[]>((resolve) => {
      const asking = db.transaction('takes').objectStore('takes').getAll();
      asking.onsuccess = () => resolve(asking.result as { name: string; sending?: unknown }[]);
    });
    db.close();
    return takes.map(({ name, sending }) => ({ name, sending }));
  });

export const namesOfTakes = async (page: Page) => (await takesOnDevice(page)).map(({ name }) => name);
