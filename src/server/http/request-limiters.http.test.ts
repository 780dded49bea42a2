import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { openSlowReader } from '#testing/slow-reader.ts';
import { createTone } from '#testing/tone.ts';
import { countLockWaiters } from '#testing/wait-for.ts';

const app = await startTestApp();

test('limits one user’s concurrent requests to six without delaying other users', async () => {
  const melody = await app.make.melody();
  const [one, other] = await Promise.all([
    app.as(await app.make.student({ levels: ['Open to All'] })),
    app.as(await app.make.student({ levels: ['Open to All'] })),
  ]);
  const holder = await app.database.pool.connect();
  await holder.query('begin; lock table melodies in access exclusive mode');
  const asked = Array.from({ length: 20 }, () => one.get(`/api/melodies/${melody.id}`));
  try {
    await expect.poll(() => countLockWaiters(app.db)).toBe(6);
    asked.push(other.get(`/api/melodies/${melody.id}`));
    await expect.poll(() => countLockWaiters(app.db)).toBe(7);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array<number>(21).fill(200));
});

test('paused melodies don’t take slots from the user’s other requests', async () => {
  const melody = await app.make.melody({ audio: createTone(300, 220, 48_000) });
  const client = await app.as(await app.make.student({ levels: ['Open to All'] }));
  const path = `/api/files/${melody.audioUrl}?type=audio`;
  const paused = await Promise.all(Array.from({ length: 8 }, () => openSlowReader(client, path)));
  await Promise.all(paused.map((song) => song.read(1)));
  expect((await client.get('/api/user')).status).toBe(200);
  expect((await client.get(path, { headers: { range: 'bytes=0-9' } })).status).toBe(206);
  for (const song of paused) song.leave();
});
