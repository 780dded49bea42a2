import type { Page } from '@playwright/test';

/** The device says late that it has written something. */
export const slowDownDevice = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(IDBTransaction.prototype, 'oncomplete', {
      set(this: IDBTransaction, then: () => void) {
        this.addEventListener('complete', () => setTimeout(then, 700));
      },
    });
  });
