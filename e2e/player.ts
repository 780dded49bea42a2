import { createTone } from '#testing/tone.ts';
import { expect, type World } from './fixtures.ts';

type Given = { text: string; level?: string; timings?: { line: number; start: number }[]; sound?: Buffer };

/** Adds a melody: by default a sine tone, with the transmission level that new students have. */
export async function addMelodyWithText(
  world: World,
  { text, level: name = 'Open to All', timings, sound = createTone(20) }: Given,
) {
  const title = `Song ${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await world.addMelody({
    title,
    transmissionLevelId: (await world.level(name)).id,
    melodyText: text,
    audioFile: { bytes: sound, name: 'song.wav' },
  });
  if (timings) {
    const parts = { timings: JSON.stringify(timings) };
    const timed = await world.teacher.form(`/api/melodies/${id}`, parts, { method: 'PUT' });
    expect(timed.status).toBe(200);
  }
  return { id, title };
}
