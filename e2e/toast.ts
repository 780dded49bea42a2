import type { Page } from '@playwright/test';

/** Finds the toast on screen, even while a dialog is open. */
export const findToast = (page: Page) =>
  page
    .getByRole('region', { name: /^Notifications/, includeHidden: true })
    .getByRole('listitem', { includeHidden: true });
