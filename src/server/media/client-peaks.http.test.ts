import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';

// Starts a server without a decoder for AAC, so that the waveform comes from the uploading client, which can't
// be trusted.
const app = await startTestApp({ ffmpegPath: null });
const teacher = await app.as(await app.make.teacher());
const m4a = {
  bytes: await readFile(join(import.meta.dirname, '../../testing/audio/melody.m4a')),
  name: 'song.m4a',
};
const FLAT = Buffer.alloc(200).toString('base64');

test.each([
  ['missing', undefined, null],
  ['well formed', FLAT, FLAT],
  ['without padding', 'A'.repeat(267), FLAT],
  ['with too much padding', `${'A'.repeat(267)}=====`, null],
  ['too short', 'AAAA', null],
  ['too long', 'A'.repeat(300), null],
  ['not Base64', 'é'.repeat(267), null],
])('returns an uploaded waveform if it is valid, and otherwise null: %s', async (_, peaks, expected) => {
  const student = await app.make.student();
  const client = await app.as(student);
  const sound = (name: string) => ({ [name]: m4a, ...(peaks && { peaks }) });
  const recording = await client.form('/api/recordings', { title: 'Sung', ...sound('audio') });
  expect([recording.status, recording.body.peaks]).toEqual([201, expected]);
  expect((await client.get('/api/student/recordings')).body[0].peaks).toBe(expected);
  expect((await teacher.get('/api/recordings/pending')).status).toBe(200);

  const feedback = await teacher.form('/api/feedback', {
    recordingId: recording.body.id,
    ...sound('audioFeedback'),
  });
  expect([feedback.status, feedback.body.peaks]).toEqual([201, expected]);
  expect((await client.get('/api/feedback')).body[0].peaks).toBe(expected);

  const { id: transmissionLevelId } = await app.make.level('Open to All');
  const melody = await teacher.form('/api/melodies', {
    title: 'Sung',
    transmissionLevelId,
    ...sound('audioFile'),
  });
  expect(melody.status).toBe(201);
  expect((await teacher.get(`/api/melodies/${melody.body.id}`)).body.peaks).toBe(expected);
});

test('an invalid stored waveform is returned as null', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const melody = await app.make.melody();
  const waiting = await app.make.recording({ student, melodyId: melody.id });
  await app.make.feedback({ student, spoken: true });
  await app.db.execute(sql`update media_files set peaks = ${'A'.repeat(267)}`);
  const answers = [
    await teacher.get('/api/recordings/pending'),
    await teacher.get('/api/admin/feedback'),
    await teacher.get(`/api/melodies/${melody.id}`),
    await client.get('/api/student/recordings'),
    await client.get('/api/feedback'),
    await client.get(`/api/recordings/${waiting.id}/thread`),
    await teacher.get(`/api/recordings/${waiting.id}/thread`),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('"peaks":null');
    // File names may contain a few A's too.
    expect(JSON.stringify(body)).not.toContain('A'.repeat(20));
  }
});
