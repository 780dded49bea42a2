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

export const setRate = (page: Page, rate: number) =>
  page.evaluate((value) => {
    (window as unknown as { sound: HTMLMediaElement }).sound.playbackRate = value;
  }, rate);

export const pause = (page: Page) =>
  page.evaluate(() => (window as unknown as { sound: HTMLMediaElement }).sound.pause());

/**
 * Watches the melody frame by frame, from its first sound until `until` seconds of it.
 * @returns for each line, in the order in which they were lit, how many frames after its start that was, and how
 *   many seconds of the melody before it
 */
export const linesLit = (page: Page, starts: number[], until: number) =>
  page.evaluate(
    ({ starts: given, until: end }) =>
      new Promise<{ line: number; framesLate: number; secondsEarly: number }[]>((resolve) => {
        const lit: { line: number; framesLate: number; secondsEarly: number }[] = [];
        const framesSince = given.map(() => 0);
        const look = () => {
          const { sound } = window as unknown as { sound?: HTMLMediaElement };
          const now = sound?.currentTime ?? 0;
          const lines = [...document.querySelectorAll('[role=dialog] .sung-text li')];
          const line = lines.findIndex((each) => each.hasAttribute('aria-current'));
          if (line >= 0 && line !== lit.at(-1)?.line)
            lit.push({ line, framesLate: framesSince[line]!, secondsEarly: Math.max(0, given[line]! - now) });
          given.forEach((start, i) => (framesSince[i]! += now >= start ? 1 : 0));
          if (now >= end && line === given.length - 1) resolve(lit);
          else requestAnimationFrame(look);
        };
        look();
      }),
    { starts, until },
  );
