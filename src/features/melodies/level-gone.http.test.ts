import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';

let whilePublishing: (() => Promise<unknown>) | null = null;
const app = await startTestApp({
  store: (real) => ({
    ...real,
    publish: async (path, name) => {
      await whilePublishing?.();
      await real.publish(path, name);
    },
  }),
});

test('rejects a melody whose level is deleted during the upload, and stores nothing', async () => {
  const teacher = await app.as(await app.make.teacher());
  const level = await app.make.level('Going');
  whilePublishing = () => teacher.delete(`/api/admin/transmission-levels/${level.id}`);
  const reply = await teacher.form('/api/melodies', {
    title: 'Too late',
    transmissionLevelId: level.id,
    audioFile: { bytes: createTone(1), name: 'song.wav' },
  });
  expect([reply.status, reply.body.message]).toEqual([404, 'This level no longer exists.']);
  expect([await app.count('melodies'), await app.files()]).toEqual([0, []]);
});
