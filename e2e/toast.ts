import type { Page } from '@playwright/test';

/** The toast on screen, also above an open dialog. */
export const findToast = (page: Page) =>
  page
    .getByRole('region', { name: /^Notifications/, includeHidden: true })
    .getByRole('listitem', { includeHidden: true });
