import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audioExpectations } from '#testing/audio-expectations.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const song = { bytes: createTone(2.6), name: 'recording.wav', type: 'audio/wav' };
const countStored = async () => [
  await app.count('recordings'),
  await app.count('media_files'),
  (await app.files()).length,
];

test('stores a submitted recording as pending, with its duration and waveform', async () => {
  const student = await app.make.student({ firstName: 'Pema', lastName: 'Chödrön', levels: ['Refuge'] });
  const client = await app.as(student);
  const melody = await app.make.melody({ level: 'Refuge' });
  const reply = await client.form('/api/recordings', {
    title: ' Refuge, third attempt ',
    message: 'Where does\nthe melody fall?',
    melodyId: melody.id,
    audio: song,
    status: 'reviewed',
    duration: 999,
    studentId: 'somebody else',
  });
  expect(reply.status).toBe(201);
  expect(reply.body).toMatchObject({
    title: 'Refuge, third attempt',
    message: 'Where does\nthe melody fall?',
    status: 'pending',
    duration: 3,
    melodyId: melody.id,
    audioUrl: expect.stringMatching(/^[0-9a-f]{32}-[\w-]{56}\.wav$/),
    student: { firstName: 'Pema', lastName: 'Chödrön', username: student.username },
  });
  expect(Buffer.from(reply.body.peaks, 'base64')).toHaveLength(200);
  expect((await client.get('/api/student/recordings')).body).toEqual([reply.body]);
  const heard = await teacher.get(`/api/files/${reply.body.audioUrl}?type=audio`);
  expect(heard.bytes.equals(song.bytes)).toBe(true);
});

test('both endpoints for pending recordings return the same list, oldest first', async () => {
  const [first, second] = [
    await app.make.recording({ title: 'First' }),
    await app.make.recording({ title: 'Second' }),
  ];
  const inbox = (await teacher.get('/api/recordings/pending')).body as { id: number }[];
  expect(inbox).toEqual((await teacher.get('/api/admin/pending-recordings')).body);
  const ids = inbox.map((recording) => recording.id);
  expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id));
});

test('the list of pending recordings shows that a student’s account is disabled', async () => {
  const student = await app.make.student();
  const { id } = await app.make.recording({ student });
  const listed = async () =>
    ((await teacher.get('/api/recordings/pending')).body as { id: number }[]).find((each) => each.id === id);
  expect(await listed()).not.toHaveProperty('isStudentDisabled');
  expect((await teacher.put(`/api/admin/users/${student.id}/status`, { isActive: false })).status).toBe(200);
  expect(await listed()).toHaveProperty('isStudentDisabled', true);
});

test('the count of pending recordings changes when a recording is sent or answered', async () => {
  const counted = async () =>
    ((await teacher.get('/api/admin/pending-recordings/count')).body as { count: number }).count;
  const before = await counted();
  const { id } = await app.make.recording();
  expect(await counted()).toBe(before + 1);
  await teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'Lower.' });
  expect(await counted()).toBe(before);
});

test('one clientId creates one recording, even in several concurrent requests', async () => {
  const client = await app.as(await app.make.student());
  const clientId = crypto.randomUUID();
  const send = (title: string) => client.form('/api/recordings', { title, audio: song, clientId });
  const before = await countStored();
  const together = await Promise.all([send('One'), send('One'), send('One')]);
  expect(together.map((reply) => reply.status).sort()).toEqual([200, 200, 201]);
  expect(new Set(together.map((reply) => reply.body.id)).size).toBe(1);
  const later = await send('Another title');
  expect([later.status, later.body]).toEqual([200, together[0].body]);
  expect(await countStored()).toEqual(before.map((count) => count + 1));
});

test('two students may use the same clientId', async () => {
  const clientId = crypto.randomUUID();
  const replies = [];
  for (let i = 0; i < 2; i += 1) {
    const client = await app.as(await app.make.student());
    replies.push(await client.form('/api/recordings', { title: 'Mine', audio: song, clientId }));
  }
  expect(replies.map((reply) => reply.status)).toEqual([201, 201]);
  expect(replies[0]!.body.id).not.toBe(replies[1]!.body.id);
});

test('stores a recording without a melody if the student can’t access the melody', async () => {
  const hidden = await app.make.melody({ level: 'Tri (Instruction)' });
  const client = await app.as(await app.make.student());
  for (const melodyId of [hidden.id, 999_999]) {
    const reply = await client.form('/api/recordings', {
      title: 'Sung all the same',
      audio: song,
      melodyId,
    });
    expect([reply.status, reply.body.melodyId]).toEqual([201, null]);
  }
});

test.each([
  ['a blank title', { title: '  ' }, 400, 'Please provide a title for your recording.'],
  ['no audio', { audio: '' }, 400, 'Please record or upload an audio file.'],
  ['a message of 2,001 characters', { message: 'x'.repeat(2001) }, 400, /2,000/],
  ['a melodyId that is not a number', { melodyId: 'x' }, 400, /isn’t valid/],
  ['a malformed clientId', { clientId: 'x' }, 400, /isn’t valid/],
  ['a NUL in its title', { title: 'a\0b' }, 400, /can’t be saved/],
] as const)('rejects a recording with %s and stores nothing', async (_, wrong, status, message) => {
  const client = await app.as(await app.make.student());
  const before = await countStored();
  const reply = await client.form('/api/recordings', { title: 'Fine', audio: song, ...wrong });
  expect(reply.status).toBe(status);
  expect(reply.body.message).toMatch(message);
  expect(await countStored()).toEqual(before);
});

test('rejects a file of 10 MB and accepts a file that is one byte smaller', async () => {
  const client = await app.as(await app.make.student());
  const limit = 10 * 1024 * 1024;
  const before = await countStored();
  const long = createTone(300, 220, 16_000);
  const padded = (size: number) => ({
    ...song,
    bytes: Buffer.concat([long, Buffer.alloc(size - long.length)]),
  });
  const large = await client.form('/api/recordings', { title: 'Large', audio: padded(limit) });
  expect([large.status, large.body]).toEqual([413, { message: 'Please select a file smaller than 10MB.' }]);
  expect(await countStored()).toEqual(before);
  const almost = await client.form('/api/recordings', { title: 'Almost', audio: padded(limit - 1) });
  expect([almost.status, almost.body.duration]).toEqual([201, 300]);
});

test('rejects a recording whose request body is not a multipart form', async () => {
  const client = await app.as(await app.make.student());
  expect((await client.post('/api/recordings', { title: 'JSON' })).status).toBe(400);
  const broken = await client.send('POST', '/api/recordings', 'no boundary in sight', {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  expect(broken.status).toBe(400);
});

test('rejects a form boundary that is longer than the standard allows', async () => {
  const client = await app.as(await app.make.student());
  const boundary = 'Z'.repeat(300);
  const reply = await client.send('POST', '/api/recordings', `--${boundary}--\r\n`, {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  expect([reply.status, reply.body.message]).toEqual([400, 'The form could not be read. Please try again.']);
});

test('rejects a recording from a deleted student as unauthorized and stores nothing', async () => {
  const before = await countStored();
  const submitting = app.services.recordings.submit(
    { title: 'Too late' },
    await app.make.staged(createTone(1)),
    {
      id: crypto.randomUUID(),
      role: 'student',
    },
  );
  await expect(submitting).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await countStored()).toEqual(before);
});

test('deletes the partial file if the connection drops during a submission', async () => {
  const client = await app.as(await app.make.student());
  const before = await countStored();
  await new Promise<void>((resolve) => {
    const upload = request(`${app.url}/api/recordings`, {
      method: 'POST',
      headers: {
        cookie: `session=${client.cookies.get('session')}`,
        'content-type': 'multipart/form-data; boundary=cut',
        'content-length': 5_000_000,
      },
    });
    upload.on('error', () => resolve());
    upload.write('--cut\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n');
    upload.write(createTone(60), () => setTimeout(() => upload.destroy(), 100));
  });
  await expect
    .poll(async () => (await import('node:fs/promises')).readdir(join(app.dataDir, 'staging')))
    .toEqual([]);
  expect(await countStored()).toEqual(before);
});

test('returns a history of more than 100 recordings in pages', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const first = await app.make.recording({ student });
  await app.db.execute(`insert into recordings (title, audio_url, duration, student_id)
    select 'Copy ' || n, 'copy-' || n || '.wav', 1, '${student.id}' from generate_series(1, 100) n`);
  const page = await client.get('/api/student/recordings');
  expect(page.body).toHaveLength(100);
  const link = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  const rest = await client.get(link!);
  expect(rest.body).toMatchObject([{ id: first.id }]);
  expect(rest.headers.get('link')).toBeNull();
  expect((await client.get('/api/student/recordings?before=x')).status).toBe(400);
});

test.each(audioExpectations)('the audio file $file is $outcome', async (expected) => {
  const client = await app.as(await app.make.student());
  const bytes = await readFile(join(import.meta.dirname, '../../testing/audio', expected.file));
  const before = await countStored();
  const reply = await client.form('/api/recordings', {
    title: expected.file,
    audio: { bytes, name: expected.file, type: 'audio/mpeg' },
  });
  if (expected.outcome === 'rejected') {
    expect([reply.status, reply.body.message]).toEqual([
      expected.status,
      expect.stringMatching(expected.because),
    ]);
    expect(await countStored()).toEqual(before);
    return;
  }
  expect([reply.status, reply.body.duration]).toEqual([201, Math.max(1, expected.seconds)]);
  expect(reply.body.peaks !== null).toBe(expected.peaks === 'always');
  const file = await client.get(`/api/files/${reply.body.audioUrl}?type=audio`);
  expect(file.headers.get('content-type')).toBe(expected.contentType);
  expect(file.bytes.equals(bytes)).toBe(true);
});

test('withdrawing a pending recording also deletes its file', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const { id, audioUrl } = await app.make.recording({ student });
  expect((await client.delete(`/api/recordings/${id}`)).status).toBe(200);
  expect((await client.get('/api/student/recordings')).body).toEqual([]);
  expect(await app.files()).not.toContain(audioUrl);
  expect((await client.delete(`/api/recordings/${id}`)).status).toBe(404);
});

test('a late duplicate request does not restore a withdrawn recording', async () => {
  const client = await app.as(await app.make.student());
  const recording = { title: 'Refuge', audio: song, clientId: crypto.randomUUID() };
  const { body } = await client.form('/api/recordings', recording);
  expect((await client.delete(`/api/recordings/${body.id}`)).status).toBe(200);
  const late = await client.form('/api/recordings', recording);
  expect([late.status, late.body.message]).toEqual([
    400,
    'You took this recording back, so it wasn’t sent again.',
  ]);
  expect((await client.get('/api/student/recordings')).body).toEqual([]);
});

test('a student can’t withdraw an answered recording or another student’s recording', async () => {
  const student = await app.make.student();
  const { recordingId } = await app.make.feedback({ student });
  const answered = await (await app.as(student)).delete(`/api/recordings/${recordingId}`);
  expect([answered.status, answered.body.message]).toEqual([
    409,
    'There is already feedback on this recording, so you can’t take it back.',
  ]);
  const other = await app.as(await app.make.student());
  expect((await other.delete(`/api/recordings/${recordingId}`)).status).toBe(404);
});

test('if a withdrawal and a reply arrive concurrently, exactly one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const student = await app.make.student();
    const client = await app.as(student);
    const { id } = await app.make.recording({ student });
    const [withdrawn, answered] = await Promise.all([
      client.delete(`/api/recordings/${id}`),
      teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'Good.', audioFeedback: song }),
    ]);
    expect([`${withdrawn.status} ${answered.status}`]).toEqual([
      expect.stringMatching(/^(200 404|409 201)$/),
    ]);
    const left = (await client.get('/api/student/recordings')).body as unknown[];
    expect(left).toHaveLength(withdrawn.status === 200 ? 0 : 1);
  }
  expect((await app.files()).length).toBe(await app.count('media_files'));
});

test('counts attempts at a melody separately for each student', async () => {
  const melody = await app.make.melody({ level: 'Refuge' });
  const student = await app.make.student({ levels: ['Refuge'] });
  const other = await app.make.student({ levels: ['Refuge'] });
  const attempts = [];
  for (const singer of [student, other, student]) {
    attempts.push((await app.make.recording({ student: singer, melodyId: melody.id })).attempt);
  }
  expect(attempts).toEqual([1, 1, 2]);
  expect((await app.make.recording({ student })).attempt).toBeNull();
});
