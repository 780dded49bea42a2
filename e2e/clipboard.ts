import type { Page } from '@playwright/test';

/** What was copied, pasted by keyboard into an empty page: our own may not read the clipboard. */
export async function copied(page: Page): Promise<string> {
  const paper = await page.context().newPage();
  try {
    await paper.setContent('<textarea></textarea>');
    await paper.locator('textarea').press('ControlOrMeta+V');
    return await paper.locator('textarea').inputValue();
  } finally {
    await paper.close();
    await page.bringToFront();
  }
}
