import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { listNightlyBackups } from '#features/operations/backups/server/backup-folder.ts';
import { createBackupKeys } from '#features/operations/backups/server/encryption.ts';
import { takeNightlyBackup } from '#features/operations/backups/server/nightly-backup.ts';
import { checkBackup, restoreBackup } from '#features/operations/backups/server/restore-backup.ts';
import { takeBackup } from '#features/operations/backups/server/take-backup.ts';
import { withDedicatedConnection } from '#server/db/dedicated-connection.ts';
import { mediaFiles } from '#server/db/schema.ts';
import { openDiskStore } from '#server/media/disk-store.ts';
import { hashFile } from '#server/media/hash-file.ts';
import { getMediaFilePath, getMediaFolder } from '#server/media/layout.ts';
import { describeMediaLocation } from '#server/media/open-store.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient, TestResponse } from '#testing/client.ts';
import { FAULTS, withFault } from '#testing/inject-faults.ts';
import { runStatement } from '#testing/postgres.ts';
import { createRandomGenerator } from '#testing/random.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';

// Fails one call to the disk or the database while a user does something. Afterwards, the action must be
// complete or without effect, and a second attempt must complete it. `npm run chaos -- faults` fails every
// single call. Otherwise, one call of each kind fails.

const isThorough = process.env['FAULTS'] === 'all';
const options = isThorough ? { timeout: 3_600_000 } : {};
/** Highest number of a call that fails in a run that isn't thorough. */
const MAX_SAMPLED_CALL = 8;

const app = await startTestApp({ environment: DISK_MEDIA_ENVIRONMENT, alone: true });
const teacher = await app.as(await app.make.teacher());
const level = await app.make.level('Open to All');

/** A small community that is backed up. */
const community = await startTestApp({ environment: DISK_MEDIA_ENVIRONMENT, alone: true });
await community.make.melody();
await community.make.feedback({ spoken: true });
const backupSource = {
  ...{ connection: community.database.connection, store: community.store },
  outbox: join(community.dataDir, 'outbox'),
};
const backup = (async () => {
  const path = join(community.dataDir, 'backup.tar');
  await takeBackup(backupSource, path, () => undefined);
  return path;
})();

const song = createTone(2);
const otherSong = createTone(3);
const voice = createTone(1);
const toFile = (bytes: Buffer) => ({ bytes, name: 'song.wav' });

/** Any effect that users see: the same for each run of an action, so it contains no ids. */
type Effect = unknown;
type Prepared = {
  /** @returns the response; an earlier one than the last if it is an error */
  act(): Promise<Pick<TestResponse, 'status'>>;
  observe(): Promise<Effect>;
  /** Removes what the action left. */
  end?(): Promise<unknown>;
};

const actions: Record<string, () => Promise<Prepared>> = {
  async 'submitting a recording'() {
    const { client, observe } = await createStudent();
    const parts = { title: 'Refuge', clientId: randomUUID(), audio: toFile(song) };
    return { act: () => client.form('/api/recordings', parts), observe };
  },

  async 'submitting a recording in chunks'() {
    const { client, observe } = await createStudent();
    const uploadId = randomUUID();
    return {
      async act() {
        const uploaded = await upload(client, uploadId, song);
        if (uploaded.status !== 200) return uploaded;
        return client.form('/api/recordings', { title: 'Refuge', clientId: uploadId, uploadId });
      },
      observe,
    };
  },

  async 'taking back a recording'() {
    const { student, client, observe } = await createStudent();
    const { id } = await app.make.recording({ student });
    return { act: () => okIfGone(client.delete(`/api/recordings/${id}`)), observe };
  },

  async 'sending feedback with a voice comment'() {
    const { student, observe } = await createStudent();
    const { id } = await app.make.recording({ student });
    return { act: createReply(id), observe };
  },

  async 'sending feedback that is held'() {
    const { student, observe } = await createStudent();
    const { id } = await app.make.recording({ student });
    const reply = createReply(id, 1);
    return {
      async act() {
        const sent = await reply();
        if (sent.status >= 300) return sent;
        // Longer than the delay after a release that failed.
        app.clock.advance(3_600_000);
        await app.services.feedback.held.releaseDue();
        // A release that fails is repeated later.
        return (await isHeld(id)) ? { status: 503 } : sent;
      },
      observe,
    };
  },

  async 'undoing feedback'() {
    const { student } = await createStudent();
    const { id } = await app.make.recording({ student });
    expect((await createReply(id, 10)()).status).toBe(202);
    return {
      act: () => okIfGone(teacher.delete(`/api/admin/feedback/held/${id}`)),
      async observe() {
        const { body: draft } = await teacher.get(`/api/admin/recordings/${id}/draft`);
        return [await isHeld(id), draft?.writtenFeedback ?? null];
      },
    };
  },

  async 'adding a melody'() {
    const parts = { clientId: randomUUID(), importId: randomUUID(), ...createMelodyParts() };
    return {
      act: () => teacher.form('/api/melodies', parts),
      observe: () => observeMelodies(parts.title),
    };
  },

  async 'changing a melody'() {
    const parts = createMelodyParts();
    const { body } = await teacher.form('/api/melodies', parts);
    const change = { melodyText: 'Namo', audioFile: toFile(otherSong) };
    return {
      act: () => teacher.form(`/api/melodies/${body.id}`, change, { method: 'PUT' }),
      observe: () => observeMelodies(parts.title),
    };
  },

  async 'undoing an import'() {
    const importId = randomUUID();
    const parts = createMelodyParts();
    for (let i = 0; i < 2; i += 1) await teacher.form('/api/melodies', { importId, ...parts });
    return {
      act: () => okIfGone(teacher.delete(`/api/admin/melody-imports/${importId}`)),
      observe: () => observeMelodies(parts.title),
    };
  },

  async 'deleting a melody'() {
    const parts = createMelodyParts();
    const { body } = await teacher.form('/api/melodies', parts);
    return {
      act: () => okIfGone(teacher.delete(`/api/melodies/${body.id}`)),
      observe: () => observeMelodies(parts.title),
    };
  },

  async 'deleting a student'() {
    const { student, client } = await createStudent();
    const { id } = await app.make.recording({ student });
    expect((await createReply(id)()).status).toBe(201);
    return {
      act: () => okIfGone(teacher.delete(`/api/admin/users/${student.id}`)),
      observe: async () => [
        (await client.get('/api/user')).status,
        (await teacher.get(`/api/recordings/${id}/thread`)).status,
      ],
    };
  },

  async 'taking a nightly backup'() {
    const folder = await mkdtemp(join(community.dataDir, 'backups-'));
    const options = {
      keys: createBackupKeys(null),
      signal: new AbortController().signal,
      assertSpace: () => Promise.resolve(),
    };
    return {
      async act() {
        await takeNightlyBackup(backupSource, folder, 'yangchen-2026-11-27.tar', options);
        return { status: 200 };
      },
      async observe() {
        const [name] = await listNightlyBackups(folder);
        if (name === undefined) return null;
        const { files, lost, damaged } = await checkBackup(join(folder, name));
        return { files, lost, damaged };
      },
    };
  },

  async 'restoring a backup'() {
    const path = await backup;
    const checked = await checkBackup(path);
    const database = `restored_${randomUUID().replaceAll('-', '')}`;
    await runStatement(inject('postgres'), `create database ${database}`);
    const dataDir = await mkdtemp(join(community.dataDir, 'restored-'));
    await mkdir(getMediaFolder(dataDir));
    const store = openDiskStore(getMediaFolder(dataDir), () => Promise.resolve());
    const connection = { ...inject('postgres'), database };
    const target = {
      ...{ connection, store, place: describeMediaLocation({ s3: null, dataDir }) },
      ...{ staging: join(dataDir, 'staging'), outbox: join(dataDir, 'outbox') },
    };
    return {
      async act() {
        // An error after the commit leaves a complete installation, which no second restore may overwrite.
        await restoreBackup(path, checked, target).catch((error: Error) => {
          if (!error.message.includes('already')) throw error;
        });
        return { status: 200 };
      },
      observe: () =>
        withDedicatedConnection(connection, async (client) => {
          const { rows: tables } = await client.query(`select to_regclass('recordings') as name`);
          if (tables[0].name === null) return null;
          const { rows } = await client.query<{ name: string; sha256: string }>(
            'select name, sha256 from media_files',
          );
          for (const { name, sha256 } of rows) expect(await store.digest(name)).toMatchObject({ sha256 });
          return rows.length || null;
        }),
      end: () => runStatement(inject('postgres'), `drop database ${database} with (force)`),
    };
  },
};

describe.each(Object.entries(actions))('%s', (name, prepare) => {
  test.each(FAULTS)('survives %s', options, async (fault) => {
    const flawless = await prepare();
    const untouched = await flawless.observe();
    const { status } = await flawless.act();
    expect(status).toBeLessThan(300);
    const done = await flawless.observe();
    expect(done).not.toEqual(untouched);
    await flawless.end?.();

    const random = createRandomGenerator(`${name} ${fault}`);
    for (let nth = isThorough ? 1 : Math.ceil(random.next() * MAX_SAMPLED_CALL); ; nth += 1) {
      const { act, observe, end } = await prepare();
      const attempt = await withFault(fault, nth, () => act().catch(() => ({ status: 503 })));
      await app.idle();
      const place = `call ${nth}, status ${attempt.result.status}`;
      const isConfirmed = attempt.result.status < 300;
      expect(isConfirmed || attempt.result.status >= 500, place).toBe(true);
      expect(isConfirmed ? [done] : [untouched, done], place).toContainEqual(await observe());

      const again = await act();
      expect(again.status, `${place}: second attempt`).toBeLessThan(300);
      expect(await observe(), `${place}: second attempt`).toEqual(done);
      await app.idle();
      await expectFilesIntact(place);
      await end?.();
      if (!isThorough || !attempt.hasFailed) return;
    }
  });
});

async function createStudent() {
  const student = await app.make.student({ levels: ['Open to All'] });
  const client = await app.as(student);
  return {
    student,
    client,
    /** Returns the student's recordings and feedback, with the audio that the student hears. */
    async observe(): Promise<Effect> {
      const recordings = (await client.get('/api/student/recordings')).body as Listed[];
      const feedback = (await client.get('/api/feedback')).body as Listed[];
      return {
        recordings: await Promise.all(
          recordings.map(async ({ status, audioUrl }) => [status, await hear(client, audioUrl)]),
        ),
        feedback: await Promise.all(
          feedback.map(async ({ writtenFeedback, audioFeedbackUrl, voices }) => [
            writtenFeedback,
            await hear(client, audioFeedbackUrl),
            await Promise.all(voices.map(({ audioUrl }) => hear(client, audioUrl))),
          ]),
        ),
      };
    },
  };
}
type Listed = {
  [key in 'status' | 'audioUrl' | 'writtenFeedback' | 'audioFeedbackUrl']: string;
} & { voices: { audioUrl: string }[] };

/** Returns the length of the audio in bytes, or the status of an error. */
async function hear(client: TestClient, name: string) {
  const { status, bytes } = await client.get(`/api/files/${name}?type=audio`);
  return status === 200 ? bytes.length : `status ${status}`;
}

/** Uploads a file in chunks, from where an earlier attempt ended. Returns the last response. */
async function upload(client: TestClient, id: string, bytes: Buffer) {
  let last = await client.put(`/api/uploads/${id}`, { size: bytes.length });
  while (last.status === 200 && last.body.received < bytes.length) {
    const start = last.body.received as number;
    last = await client.patch(`/api/uploads/${id}?start=${start}`, bytes.subarray(start, start + 50_000));
  }
  return last;
}

/** Creates an action that replies with text, audio and a voice comment. */
function createReply(recordingId: number, holdSeconds?: number) {
  const [clientId, voiceId] = [randomUUID(), randomUUID()];
  return async () => {
    // After the reply has arrived, the upload no longer exists, and would start again.
    const uploaded = await upload(teacher, voiceId, voice);
    if (uploaded.status !== 200) return uploaded;
    return teacher.form('/api/feedback', {
      ...{ recordingId, clientId, writtenFeedback: 'Slower.', audioFeedback: toFile(otherSong) },
      marks: JSON.stringify([{ start: 0.5, end: 1, text: 'Softer', voice: voiceId }]),
      ...(holdSeconds !== undefined && { holdSeconds }),
    });
  };
}

async function isHeld(id: number) {
  const { body } = await teacher.get('/api/admin/feedback/held');
  return (body as { recordingId: number }[]).some(({ recordingId }) => recordingId === id);
}

const createMelodyParts = () => ({
  title: `Melody ${randomUUID()}`,
  transmissionLevelId: level.id,
  audioFile: toFile(song),
});

async function observeMelodies(title: string): Promise<Effect> {
  const melodies = (await teacher.get(`/api/melodies?search=${title}`)).body as (Listed & {
    title: string;
  })[];
  return Promise.all(
    melodies.filter((melody) => melody.title === title).map(async ({ audioUrl }) => hear(teacher, audioUrl)),
  );
}

/** Accepts 404, the response if an earlier attempt has already deleted it. */
async function okIfGone(response: Promise<TestResponse>) {
  const { status } = await response;
  return { status: status === 404 ? 200 : status };
}

const intact = new Set<string>();

/** Checks that each new row has its file, unchanged. */
async function expectFilesIntact(place: string) {
  for (const { name, sha256 } of await app.db.select().from(mediaFiles)) {
    if (intact.has(name)) continue;
    const { sha256: found } = await hashFile(join(getMediaFolder(app.dataDir), getMediaFilePath(name)));
    expect(found, place).toBe(sha256);
    intact.add(name);
  }
}
