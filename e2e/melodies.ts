import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type World } from './fixtures.ts';

export const sample = (name: string) => join(import.meta.dirname, '../src/testing/audio', name);

export const picture = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

export type Added = { id: number; audioUrl: string; thumbnailUrl: string };
type Parts = Record<string, string | number | { bytes: Uint8Array; name: string }>;

/** A melody of no more than this, of the level that every student of a journey has. */
export async function addBare(world: World, title: string, more: Parts & { level?: string } = {}) {
  const { level = 'Open to All', ...parts } = more;
  const { id: transmissionLevelId } = await world.level(level);
  const reply = await world.teacher.form('/api/melodies', { title, transmissionLevelId, ...parts });
  expect(reply.status).toBe(201);
  return reply.body as Added;
}

/** A melody with audio and a picture. */
export const addWhole = async (world: World, title: string, more: Parts & { level?: string } = {}) =>
  addBare(world, title, {
    audioFile: { bytes: await readFile(sample('melody-cbr.mp3')), name: 'a.mp3' },
    thumbnail: { bytes: picture.buffer, name: picture.name },
    ...more,
  });

export const cards = (page: Page) =>
  page.locator('main [role=listitem]').filter({ has: page.getByRole('heading', { level: 2 }) });
export const cardOf = (page: Page, title: string) =>
  page
    .locator('main [role=listitem]')
    .filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
export const titles = (page: Page) => cards(page).getByRole('heading', { level: 2 });
export const inFull = async (world: World, id: number) =>
  (await world.teacher.get(`/api/melodies/${id}`)).body as Record<string, unknown>;

/** Where toasts are shown, apart from what the page says itself. */
export const toasts = (page: Page) => page.locator('[role=region][aria-label^=Notifications]');
