// Regenerates the README's pictures from the demo: npm run pictures
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { DEMO_PASSWORD, DEMO_TEACHER } from '#cli/demo/community.ts';
import { createDataFolder, startProgram } from '#testing/program.ts';
import { findChromium } from './find-chromium.js';

const IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const { dataDir, remove } = await createDataFolder();
const program = await startProgram({ dataDir, main: 'dist/web/.server/main.demo.js' });
const executablePath = findChromium();
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
try {
  await picture('library', 'tashi', '/melodies', DESKTOP);
  await picture('player', 'tashi', '/melodies', DESKTOP, playSevenLines);
  await picture('inbox', DEMO_TEACHER.username, '/admin', DESKTOP, markAMoment);
  await picture('feedback-phone', 'tashi', '/feedback', PHONE);
} finally {
  await browser.close();
  await program.end();
  await remove();
}

async function picture(
  name: string,
  username: string,
  path: string,
  viewport: typeof DESKTOP,
  before?: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext({ baseURL: program.url, viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.request.post('/api/login', { data: { username, password: DEMO_PASSWORD } });
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await before?.(page);
  // Compresses as far as possible without a visible difference.
  await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(join(IMAGES, `${name}.png`));
  await context.close();
  console.log(`docs/images/${name}.png`);
}

async function playSevenLines(page: Page) {
  await page.getByRole('button', { name: 'Advanced Player: Seven Line Prayer' }).click();
  const player = page.getByRole('dialog');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await player.getByText('0:07').first().waitFor();
}

async function markAMoment(page: Page) {
  const card = page.getByRole('article').first();
  await card.getByText('Finding the lines').waitFor({ state: 'hidden' });
  await card.getByRole('button', { name: 'Play' }).first().click();
  await card.getByText('0:04').first().waitFor();
  await card.getByRole('button', { name: 'Add comment' }).click();
  await page.keyboard.type('Here the breath is free.');
  await page.keyboard.press('Enter');
  await card.getByRole('button', { name: 'Pause' }).first().click();
  await card.getByLabel(/^Comment at/).scrollIntoViewIfNeeded();
  await page.evaluate('scrollTo(0, 0)');
}
