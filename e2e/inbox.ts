import type { Page } from '@playwright/test';
import { createTone } from '#testing/tone.ts';
import { expect, type Student, type World } from './fixtures.ts';

type SubmittedRecording = { title: string; melodyId?: number; seconds?: number; message?: string };

export async function submitRecording(
  world: World,
  student: Student,
  { title, melodyId, seconds = 3, message }: SubmittedRecording,
) {
  const client = await world.as(student);
  const { status, body } = await client.form('/api/recordings', {
    title,
    ...(message === undefined ? {} : { message }),
    ...(melodyId === undefined ? {} : { melodyId }),
    audio: { bytes: createTone(seconds), name: 'song.wav' },
  });
  expect(status).toBe(201);
  return body.id as number;
}

/** Adds a melody with a video. */
export async function addMelodyWithVideo(
  world: World,
  { title = 'Refuge Prayer', text }: { title?: string; text?: string } = {},
) {
  const video = { vimeoUrl: 'https://example.org/video' };
  return (await world.addMelody({ title, ...video, ...(text !== undefined && { melodyText: text }) })).id;
}

/** Replies to every recording that earlier tests left pending, and deletes all drafts. */
export async function clearInbox(world: World) {
  const { body } = await world.teacher.get('/api/recordings/pending');
  for (const { id } of body as { id: number }[])
    await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'Cleared.' });
  for (const { recordingId } of (await world.teacher.get('/api/admin/feedback-drafts')).body as {
    recordingId: number;
  }[])
    await world.teacher.put(`/api/admin/recordings/${recordingId}/draft`, { text: '', marks: [] });
}

export const isPlaying = (audio: Element) => !(audio as HTMLAudioElement).paused;

/** Presses `j` to focus the first card. Repeats this, because the page ignores keys until it has hydrated. */
export async function focusFirstCard(page: Page, title: string) {
  const heading = page.getByRole('heading', { name: title, exact: true });
  await expect(async () => {
    const isThere = await heading.evaluate((element) => element === document.activeElement);
    if (!isThere) await page.keyboard.press('j');
    await expect(heading).toBeFocused({ timeout: 2_000 });
  }).toPass();
}
