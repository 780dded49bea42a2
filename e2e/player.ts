import type { Page } from '@playwright/test';
import { tone } from '../src/testing/tone.ts';
import { expect, type World } from './fixtures.ts';

type Given = { text?: string; timings?: { line: number; start: number }[]; seconds?: number; audio?: Buffer };

/** A melody of a sine that every student may hear. */
export async function addMelody(world: World, { text = 'namo', timings, seconds = 20, audio }: Given = {}) {
  const title = `Song ${crypto.randomUUID().slice(0, 8)}`;
  const level = await world.level('Open to All');
  const added = await world.teacher.form('/api/melodies', {
    title,
    transmissionLevelId: level.id,
    melodyText: text,
    audioFile: { bytes: audio ?? tone(seconds), name: 'song.wav' },
  });
  expect(added.status).toBe(201);
  const path = `/api/melodies/${added.body.id}`;
  if (timings) {
    const timed = await world.teacher.form(path, { timings: JSON.stringify(timings) }, { method: 'PUT' });
    expect(timed.status).toBe(200);
  }
  const stored = async () =>
    (await world.teacher.get(path)).body as {
      melodyText: string | null;
      timings: { line: number; start: number }[] | null;
    };
  return { id: added.body.id as number, title, stored };
}

/** Opens the player of a melody; from then on {@link soundIn} knows what it plays. */
export async function openPlayer(page: Page, title: string) {
  await page.addInitScript(() => {
    const original = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      (window as unknown as { sound: HTMLMediaElement }).sound = this;
      return original.call(this);
    };
  });
  await page.goto('/melodies');
  const card = page.getByRole('listitem').filter({ hasText: title });
  await card.getByRole('button', { name: /Advanced Player/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

/** Where the melody is, in seconds, and whether it plays. */
export const soundIn = (page: Page) =>
  page.evaluate(() => {
    const { sound } = window as unknown as { sound?: HTMLMediaElement };
    return { at: sound?.currentTime ?? 0, plays: sound !== undefined && !sound.paused };
  });
