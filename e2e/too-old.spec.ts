import { chromium } from '@playwright/test';
import { findOldChromium } from '../scripts/old-chromium.js';
import { expect, test } from './fixtures.ts';

const executablePath = findOldChromium(92);
test.skip(
  !executablePath,
  'Chromium 92 is not installed (Linux on x64, from npm), so older browsers are not tested.',
);

// Reads pages with `evaluate`, because Playwright's locators need features that this browser lacks.
test('a browser that is too old shows which versions work, even without JavaScript', async ({ world }) => {
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const student = await world.student();
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({
        baseURL: world.url,
        viewport: { width: 390, height: 844 },
        javaScriptEnabled,
      });
      const page = await context.newPage();
      const text = () => page.evaluate(() => document.body.innerText);
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      if (javaScriptEnabled) {
        for (const path of ['/', '/melodies', '/reset-password?token=any']) {
          await page.goto(path);
          await page.waitForURL('**/too-old.html');
        }
        await context.request.post('/api/login', { data: student });
        await page.goto('/melodies');
        await page.waitForURL('**/too-old.html');
      } else {
        await page.goto('/');
        expect(await text()).toContain('This site needs JavaScript.');
        await page.goto('/too-old.html');
      }
      expect(await text()).toContain('This browser is too old');
      expect(await text()).toContain('Chrome 111');
      expect(await width()).toBe(390);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
        'rgb(250, 245, 236)',
      );
      await context.close();
    }
  } finally {
    await browser.close();
  }
});
