import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestClient } from '#testing/client.ts';
import { runScript } from '#testing/run-script.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { startProgram } from '#testing/program.ts';
import { getS3TestEnvironment } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';

const { cleanUp, folder } = createTestCleanup();

type Place = { DATA_DIR: string } & NodeJS.ProcessEnv;

/** Starts the program with this data folder and these settings, and signs the teacher in. */
async function teacherAt({ DATA_DIR: dataDir, ...environment }: Place) {
  const program = await startProgram({
    dataDir,
    environment: { ADMIN_PASSWORD: 'teacher-pass', ...environment },
  });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end();
  });
  const teacher = new TestClient(program.url);
  expect((await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' })).status).toBe(
    200,
  );
  return { teacher, program };
}

test('backup and restore move media into a bucket and back onto a disk', async () => {
  const backups = await folder();
  const onDisk = { DATA_DIR: await folder() };
  const first = await teacherAt(onDisk);
  await first.teacher.post('/api/init');
  const [level] = (await first.teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const added = await first.teacher.form('/api/melodies', {
    title: 'Carried along',
    transmissionLevelId: level!.id,
    audioFile: { bytes: createTone(2), name: 'song.wav' },
  });
  expect(added.status).toBe(201);
  const file = `/api/files/${added.body.audioUrl}?type=audio`;
  const up = join(backups, 'up');
  expect((await runScript('backup', [up], onDisk)).code).toBe(0);

  const bucket = getS3TestEnvironment(randomUUID());
  const inBucket = { DATA_DIR: join(await folder(), 'new'), ...bucket };
  expect(await runScript('restore', [up], inBucket)).toMatchObject({
    code: 0,
    said: expect.stringContaining('Everyone has to sign in again.'),
  });
  const second = await teacherAt(inBucket);
  expect((await second.teacher.get(file)).bytes).toEqual(createTone(2));
  expect(
    (await runScript('restore', [up], { ...bucket, DATA_DIR: join(await folder(), 'new') })).said,
  ).toContain('There is already a community here.');
  const down = join(backups, 'down');
  expect((await runScript('backup', [down], inBucket)).code).toBe(0);
  await second.program.end();

  const back = { DATA_DIR: join(await folder(), 'new') };
  expect((await runScript('restore', [down], back)).code).toBe(0);
  expect((await (await teacherAt(back)).teacher.get(file)).bytes).toEqual(createTone(2));
});
