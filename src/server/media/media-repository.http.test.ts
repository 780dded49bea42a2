import { randomUUID } from 'node:crypto';
import { utimes, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { AppError } from '#shared/errors.ts';
import { STORAGE_UNREACHABLE_MESSAGE } from '../data-folder/data-folder.ts';
import { STORAGE_FULL_MESSAGE } from './disk-space.ts';
import { getMediaFilePath } from './layout.ts';

// An app whose store calls `failPublish` after publishing a file, so that a test can make it fail.
let failPublish: (() => void) | null = null;
const app = await startTestApp({
  store: (real) => ({
    ...real,
    publish: async (path, name) => {
      await real.publish(path, name);
      failPublish?.();
    },
  }),
});
beforeEach(() => {
  failPublish = null;
});

const song = { bytes: createTone(1), name: 'song.wav' };
const countStored = async () => [
  await app.count('recordings'),
  await app.count('media_files'),
  (await app.files()).length,
];

test('responds 507 and stores nothing if the disk is full', async () => {
  const client = await app.as(await app.make.student());
  const before = await countStored();
  failPublish = () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, open '/srv/media/aa/secret.wav'"), {
      code: 'ENOSPC',
    });
  };
  const reply = await client.form('/api/recordings', { title: 'No space', audio: song });
  expect(reply.status).toBe(507);
  expect(reply.body).toEqual({ message: STORAGE_FULL_MESSAGE });
  expect(await countStored()).toEqual(before);
});

test('responds 500 without the file’s path and stores nothing if the disk fails', async () => {
  const client = await app.as(await app.make.student());
  const before = await countStored();
  failPublish = () => {
    throw Object.assign(new Error("EIO: i/o error, open '/srv/media/aa/secret.wav'"), { code: 'EIO' });
  };
  const reply = await client.form('/api/recordings', { title: 'Broken', audio: song });
  expect(reply.status).toBe(500);
  expect(JSON.stringify(reply.body)).not.toMatch(/EIO|media/);
  expect(reply.body.message).toMatch(/Something went wrong/);
  expect(await countStored()).toEqual(before);
});

test('gives up removing files after the first failure if the store is unreachable', async () => {
  let tries = 0;
  const away = await startTestApp({
    beside: app,
    store: (real) => ({
      ...real,
      remove: () => {
        tries += 1;
        return Promise.reject(new AppError('unavailable', 'Away'));
      },
    }),
  });
  await away.services.media.removeFiles(['aa-1.wav', 'aa-2.wav', 'aa-3.wav']);
  expect(tries).toBe(1);
});

test('rejects a recording while the store is unreachable, and accepts it later', async () => {
  const client = await app.as(await app.make.student());
  const [recordings, rows, files] = await countStored();
  failPublish = () => {
    throw new AppError('unavailable', STORAGE_UNREACHABLE_MESSAGE);
  };
  const recording = { title: 'Hung', clientId: randomUUID(), audio: song };
  const { status, body } = await client.form('/api/recordings', recording);
  expect([status, body]).toEqual([503, { message: STORAGE_UNREACHABLE_MESSAGE }]);
  expect(await countStored(), 'the file remains for the sweep').toEqual([recordings, rows, files! + 1]);
  failPublish = null;
  expect((await client.form('/api/recordings', recording)).status).toBe(201);
});

test('removes a stored file if the database rejects its row', async () => {
  const before = await countStored();
  const client = await app.as(await app.make.student());
  await app.db.execute("alter table recordings add constraint refuse check (title <> 'Refused')");
  const reply = await client.form('/api/recordings', { title: 'Refused', audio: song });
  expect(reply.status).toBe(500);
  expect(await countStored()).toEqual(before);
});

/** The error with which PostgreSQL stops when it can't write its WAL. */
const noSpaceForLog = Object.assign(new pg.DatabaseError('could not write to the log', 0, 'error'), {
  severity: 'PANIC',
  code: '53100',
});

test.each([
  ['the connection is lost', new Error('Connection terminated unexpectedly')],
  ['the database runs out of space', noSpaceForLog],
])('keeps a file if %s during the COMMIT of its row', async (_, failure) => {
  const before = (await app.files()).length;
  const staging = join(app.dataDir, 'staging');
  await mkdir(staging, { recursive: true });
  const path = join(staging, 'in-doubt');
  await writeFile(path, createTone(1));
  const media = {
    path,
    row: {
      name: `in-doubt-${before}.wav`,
      slot: 'recording-audio',
      contentType: 'audio/wav',
      size: 1,
      sha256: 'x',
    },
  } as const;
  const lost = app.services.media.saveInTransaction([media], async (tx) => {
    await tx.execute('select 1');
    const commitFails = pg.Client.prototype.query;
    pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof commitFails>) {
      const [statement] = given as unknown[];
      if (statement === 'commit' || (statement as { text?: string } | undefined)?.text === 'commit') {
        pg.Client.prototype.query = commitFails;
        return Promise.reject(failure);
      }
      return commitFails.apply(this, given) as unknown;
    } as typeof commitFails;
  });
  await expect(lost).rejects.toThrow();
  expect(await app.files()).toHaveLength(before + 1);
});

test('the sweep sets aside files without a row, and deletes stale staged files', async () => {
  const recording = await app.make.recording();
  const staging = join(app.dataDir, 'staging');
  await app.media.write(getMediaFilePath('ff-orphan.wav'), 'left over');
  await writeFile(join(staging, 'left-over'), 'left over');
  await utimes(join(staging, 'left-over'), new Date(0), new Date(0));
  const fresh = await app.services.fileRounds({ before: new Date(Date.now() - 3_600_000), read: 'none' });
  expect(fresh.files).toBe(0);
  const swept = await app.services.fileRounds({ before: new Date(Date.now() + 60_000), read: 'none' });
  expect(swept.files).toBeGreaterThanOrEqual(1);
  expect(await app.files()).toContain(recording.audioUrl);
  expect(await app.files()).not.toContain('ff-orphan.wav');
  const { rows } = await app.db.execute<{ name: string }>('select name from media_files');
  expect((await app.files()).sort()).toEqual(rows.map(({ name }) => name).sort());
});
