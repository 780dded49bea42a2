import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { World } from './fixtures.ts';

export const PICTURE_UPLOAD = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Adds a melody with audio and a picture, at the level that students have by default. */
export async function addCompleteMelody({ addMelody }: World, title: string) {
  const audio = await readFile(join(import.meta.dirname, '../src/testing/audio/melody-cbr.mp3'));
  return addMelody({
    title,
    audioFile: { bytes: audio, name: 'a.mp3' },
    thumbnail: { bytes: PICTURE_UPLOAD.buffer, name: PICTURE_UPLOAD.name },
  });
}

const findCards = (page: Page) => page.locator('main [role=listitem]');
export const findMelodyCard = (page: Page, title: string) =>
  findCards(page).filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
export const findMelodyTitles = (page: Page) => findCards(page).getByRole('heading', { level: 2 });

/** Finds the region that shows toasts, which is separate from the page's own messages. */
export const findToastRegion = (page: Page) => page.locator('[role=region][aria-label^=Notifications]');
