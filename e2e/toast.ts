import type { Page } from '@playwright/test';

/** The toast that is there, above an open dialog too. */
export const toastOf = (page: Page) =>
  page
    .getByRole('region', { name: /^Notifications/, includeHidden: true })
    .getByRole('listitem', { includeHidden: true });
