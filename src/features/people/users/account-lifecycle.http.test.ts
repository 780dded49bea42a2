import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { insertClientIdTombstones } from '#server/db/client-id-tombstones.ts';
import { startTestApp } from '#testing/app.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

/** Function that runs while a file is being published, after its inspection and before its row is inserted. */
let meanwhile: (() => Promise<unknown>) | null = null;
const app = await startTestApp({
  store: (real) => ({
    ...real,
    publish: async (path, name) => {
      await meanwhile?.();
      await real.publish(path, name);
    },
  }),
});
afterEach(() => {
  meanwhile = null;
});

const admin = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(admin);
const audio = { bytes: createTone(1), name: 'song.wav' };

const setStatus = (id: string, isActive: unknown, as: TestClient = teacher) =>
  as.put(`/api/admin/users/${id}/status`, { isActive });
const remove = (id: string) => teacher.delete(`/api/admin/users/${id}`);
const lastEntry = async () => (await teacher.get('/api/admin/audit-log')).body[0] as unknown;
const sessionsOf = async ({ id }: { id: string }) => {
  const { rows } = await app.db.execute(sql`select 1 from sessions where sess ->> 'userId' = ${id}`);
  return rows.length;
};
/** Checks that every file has a row and every row a file. */
const filesAreWhole = async () => {
  const { rows } = await app.db.execute<{ name: string }>(sql`select name from media_files order by name`);
  expect((await app.files()).sort()).toEqual(rows.map((row) => row.name));
};

describe('disabling a user', () => {
  test('sessions of a disabled user end and stay ended after the user is enabled again', async () => {
    const student = await app.make.student({ firstName: 'Tashi', lastName: 'Dolma' });
    const browsers = [await app.as(student), await app.as(student)];
    const reply = await setStatus(student.id, false);
    expect([reply.status, reply.body]).toMatchObject([200, { id: student.id, isActive: false }]);
    expect(reply.body).not.toHaveProperty('password');
    for (const client of browsers) expect((await client.get('/api/user')).status).toBe(401);
    expect(await sessionsOf(student)).toBe(0);
    expect(await lastEntry()).toMatchObject({
      actorName: 'Khandro Lhamo',
      action: 'user-disabled',
      subjectName: 'Tashi Dolma',
      detail: null,
    });

    expect((await setStatus(student.id, true)).body.isActive).toBe(true);
    expect(await lastEntry()).toMatchObject({ action: 'user-enabled' });
    // Earlier sessions do not come back.
    for (const client of browsers) expect((await client.get('/api/user')).status).toBe(401);
  });

  test('concurrent requests to disable a user all succeed and are logged once', async () => {
    const student = await app.make.student();
    const before = await app.count('audit_log');
    const replies = await Promise.all([1, 2, 3].map(() => setStatus(student.id, false)));
    expect(replies.map((reply) => [reply.status, reply.body.isActive])).toEqual(Array(3).fill([200, false]));
    expect(await app.count('audit_log')).toBe(before + 1);
  });

  test('disabling a user ends their playback at the next range request', async () => {
    const melody = await app.make.melody({ level: 'Refuge' });
    const student = await app.make.student({ levels: ['Refuge'] });
    const client = await app.as(student);
    const part = (range: string) =>
      client.get(`/api/files/${melody.audioUrl}?type=audio`, { headers: { range } });
    expect((await part('bytes=0-999')).status).toBe(206);
    await setStatus(student.id, false);
    expect((await part('bytes=1000-1999')).status).toBe(401);
  });

  test('an admin can disable another admin, but not their own account', async () => {
    const other = await app.make.teacher();
    expect((await setStatus(other.id, false)).status).toBe(200);
    const own = await setStatus(admin.id, false);
    expect([own.status, own.body.message]).toEqual([403, expect.stringMatching(/your own account/)]);
    expect((await teacher.get('/api/user')).status).toBe(200);
  });

  test('one admin stays enabled when two admins disable each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await app.make.teacher(), await app.make.teacher()];
      const [asA, asB] = [await app.as(a), await app.as(b)];
      const replies = await Promise.all([setStatus(b.id, false, asA), setStatus(a.id, false, asB)]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 401]);
    }
  });

  test.each([
    ['an unknown id', () => crypto.randomUUID(), false, 404],
    ['an invalid id', () => 'first', false, 404],
    ['an invalid status', async () => (await app.make.student()).id, 'off', 400],
    ['no status', async () => (await app.make.student()).id, undefined, 400],
  ])('rejects a change to a user’s status with %s', async (_, id, isActive, status) => {
    expect((await setStatus(await id(), isActive)).status).toBe(status);
  });
});

describe('deleting a student', () => {
  test('deleting a student deletes all their data, files and sessions, but nobody else’s', async () => {
    const student = await app.make.student({ firstName: 'Jampa', lastName: 'Norbu', levels: ['Refuge'] });
    const other = await app.make.student();
    const client = await app.as(student);
    await app.make.recording({ student });
    await insertClientIdTombstones(app.db, student.id, [crypto.randomUUID()]);
    const { recording, audioFeedbackUrl } = await app.make.feedback({ student, spoken: true });
    const remaining = await app.make.feedback({ student: other, spoken: true });
    const filesBefore = (await app.files()).length;

    expect(await remove(student.id)).toMatchObject({ status: 200, body: { message: 'User deleted' } });
    expect((await client.get('/api/user')).status).toBe(401);
    expect(await sessionsOf(student)).toBe(0);
    const files = await app.files();
    expect(files).toHaveLength(filesBefore - 3);
    expect(files).not.toContain(recording.audioUrl);
    expect(files).not.toContain(audioFeedbackUrl);
    expect(files).toContain(remaining.audioFeedbackUrl);
    await filesAreWhole();
    for (const [table, column] of [
      ['recordings', 'student_id'],
      ['user_transmission_access', 'user_id'],
      ['known_devices', 'user_id'],
      ['mails', 'user_id'],
      ['spent_keys', 'owner_id'],
    ] as const) {
      const { rows } = await app.db.execute(
        sql`select 1 from ${sql.identifier(table)} where ${sql.identifier(column)} = ${student.id}`,
      );
      expect(rows, table).toEqual([]);
    }
    const given = (await teacher.get('/api/admin/feedback')).body as { id: number }[];
    expect(given.map((one) => one.id)).toEqual([remaining.id]);
    expect(await lastEntry()).toMatchObject({ action: 'user-deleted', subjectName: 'Jampa Norbu' });
    expect((await remove(student.id)).status).toBe(404);
  });

  test('deleting a student ends their playback at the next range request', async () => {
    const melody = await app.make.melody({ level: 'Refuge' });
    const student = await app.make.student({ levels: ['Refuge'] });
    const client = await app.as(student);
    const part = (range: string) =>
      client.get(`/api/files/${melody.audioUrl}?type=audio`, { headers: { range } });
    expect((await part('bytes=0-999')).status).toBe(206);
    await remove(student.id);
    expect((await part('bytes=1000-1999')).status).toBe(401);
  });

  test('deleting a student keeps their approved request in the list', async () => {
    const request = await app.make.request();
    const { body } = await teacher.post('/api/admin/approve-user', { requestId: request.id });
    expect((await remove(body.user.id)).status).toBe(200);
    const list = (await teacher.get('/api/admin/registration-requests')).body as { id: number }[];
    expect(list).toContainEqual(expect.objectContaining({ id: request.id, status: 'approved' }));
    // The same email can request access again.
    await app.make.request({ email: request.email });
  });

  test('deleting a student aborts their upload with 401 and deletes its file', async () => {
    const student = await app.make.student();
    const client = await app.as(student);
    meanwhile = async () => {
      meanwhile = null;
      expect((await remove(student.id)).status).toBe(200);
    };
    const reply = await client.form('/api/recordings', { title: 'Too late', audio });
    expect([reply.status, reply.body]).toEqual([401, { message: 'Unauthorized' }]);
    await filesAreWhole();
  });

  test('deleting a student aborts a reply to them with 404 and deletes its file', async () => {
    const student = await app.make.student();
    const recording = await app.make.recording({ student });
    meanwhile = async () => {
      meanwhile = null;
      expect((await remove(student.id)).status).toBe(200);
    };
    const reply = await teacher.form('/api/feedback', { recordingId: recording.id, audioFeedback: audio });
    expect([reply.status, reply.body]).toEqual([404, { message: 'This recording no longer exists' }]);
    await filesAreWhole();
  });

  test('an upload or reply committed just before its student is deleted still succeeds', async () => {
    const discard = app.staging.discard.bind(app.staging);
    const deleteNext = (id: string) =>
      vi.spyOn(app.staging, 'discard').mockImplementationOnce(async (file) => {
        expect((await remove(id)).status).toBe(200);
        await discard(file);
      });
    const answered = await app.make.student();
    const recording = await app.make.recording({ student: answered });
    deleteNext(answered.id);
    const reply = await teacher.form('/api/feedback', { recordingId: recording.id, audioFeedback: audio });
    expect([reply.status, reply.body]).toMatchObject([201, { recordingId: recording.id }]);

    const student = await app.make.student();
    deleteNext(student.id);
    const client = await app.as(student);
    const sent = await client.form('/api/recordings', { title: 'The last', audio });
    expect([sent.status, sent.body]).toMatchObject([201, { title: 'The last' }]);
    await filesAreWhole();
  });

  test.each([
    [
      'a recording',
      (student: { id: string }, _: number) => sql`
        insert into recordings (title, audio_url, duration, student_id)
        values ('Just now', 'just-now.wav', 1, ${student.id})`,
    ],
    [
      'a reply',
      (_: { id: string }, recordingId: number) => sql`
        with reviewed as (update recordings set status = 'reviewed' where id = ${recordingId} returning id)
        insert into feedback (recording_id, audio_feedback_url, admin_id)
        select id, 'just-now.wav', ${admin.id} from reviewed`,
    ],
  ])('deleting a student waits until %s is committed, and deletes its file too', async (_, write) => {
    const student = await app.make.student();
    const recording = await app.make.recording({ student });
    let deleted!: Promise<{ status: number }>;
    await app.db.transaction(async (tx) => {
      await tx.execute(write(student, recording.id));
      await tx.execute(sql`
        insert into media_files (name, slot, content_type, size, sha256)
        values ('just-now.wav', 'recording-audio', 'audio/wav', 1, '')`);
      deleted = remove(student.id);
      // Waits until this transaction blocks the deletion.
      await waitForLockWaiters(app.db, 1);
    });
    expect((await deleted).status).toBe(200);
    await filesAreWhole();
  });

  test('deleting a student during uploads, replies and grants leaves no files or rows', async () => {
    const level = await app.make.level('Refuge');
    for (let round = 0; round < 8; round += 1) {
      const student = await app.make.student();
      const client = await app.as(student);
      const recording = await app.make.recording({ student });
      const [deleted, uploaded, answered, granted] = await Promise.all([
        // The deletion starts later in each round, so that it overlaps the other requests at different
        // points.
        new Promise((resolve) => setTimeout(resolve, round * 15)).then(() => remove(student.id)),
        client.form('/api/recordings', { title: 'At once', audio }),
        teacher.form('/api/feedback', { recordingId: recording.id, audioFeedback: audio }),
        teacher.post(`/api/admin/users/${student.id}/transmission-access`, {
          transmissionLevelId: level.id,
        }),
      ]);
      expect(deleted.status).toBe(200);
      expect([201, 401]).toContain(uploaded.status);
      expect([201, 404]).toContain(answered.status);
      expect([201, 404]).toContain(granted.status);
      await filesAreWhole();
      const { rows } = await app.db.execute(sql`select 1 from recordings where student_id = ${student.id}`);
      expect(rows).toEqual([]);
    }
  });

  test('only one of several concurrent requests to delete a student succeeds', async () => {
    const student = await app.make.student();
    const replies = await Promise.all([1, 2, 3].map(() => remove(student.id)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404, 404]);
  });

  test('rejects deleting admins and unknown users', async () => {
    const other = await app.make.teacher();
    for (const id of [other.id, admin.id]) {
      const reply = await remove(id);
      expect([reply.status, reply.body.message]).toEqual([403, "A teacher's account can't be deleted."]);
    }
    expect((await remove(crypto.randomUUID())).status).toBe(404);
    expect((await remove('first')).status).toBe(404);
  });
});
