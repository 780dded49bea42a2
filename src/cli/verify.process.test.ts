import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getMediaFolder, getMediaFilePath } from '#server/media/layout.ts';
import { TestClient } from '#testing/client.ts';
import { runScript } from '#testing/run-script.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { startProgram } from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';

const { cleanUp, folder } = createTestCleanup();

async function startTestProgram(dataDir: string) {
  // Disables ffmpeg, because otherwise copies would appear at any time and change the file counts.
  const environment = { ADMIN_PASSWORD: 'teacher-pass', FFMPEG_PATH: 'none' };
  const program = await startProgram({ dataDir, environment });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end();
  });
  const teacher = new TestClient(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  return { program, teacher };
}

async function addMelody(teacher: TestClient, title: string): Promise<string> {
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const { status, body } = await teacher.form('/api/melodies', {
    title,
    transmissionLevelId: level!.id,
    audioFile: { bytes: createTone(1), name: 'song.wav' },
  });
  expect(status).toBe(201);
  return body.audioUrl as string;
}

test('verifies media while the program runs, and makes safe repairs after it stops', async () => {
  const dataDir = await folder();
  const media = getMediaFolder(dataDir);
  const verify = (...parameters: string[]) => runScript('verify', parameters, { DATA_DIR: dataDir });
  const { program, teacher } = await startTestProgram(dataDir);
  const kyab = await addMelody(teacher, 'Kyab');
  const tara = await addMelody(teacher, 'Tara');
  expect(await verify()).toMatchObject({
    code: 0,
    said: expect.stringContaining('No problems found: 2 files'),
  });

  const bytes = await readFile(join(media, getMediaFilePath(kyab)));
  bytes[1000]! ^= 1;
  await writeFile(join(media, getMediaFilePath(kyab)), bytes);
  await rm(join(media, getMediaFilePath(tara)));
  await mkdir(join(media, 'ff'), { recursive: true });
  await writeFile(join(media, getMediaFilePath('ff-orphan.wav')), 'left over');
  const running = await verify();
  expect(running.code).toBe(1);
  expect(running.said).toContain(`damaged    ${getMediaFilePath(kyab)}  melody “Kyab”: its contents`);
  expect(running.said).toContain(`missing    ${getMediaFilePath(tara)}  melody “Tara”\n`);
  // The file is not reported yet, because its row may still follow.
  expect(running.said).not.toContain('ff-orphan');
  expect(await verify('--after-failover')).toMatchObject({
    code: 1,
    said: expect.stringContaining('unlisted   ff/ff-orphan.wav  9 bytes\n'),
  });
  expect((await teacher.get(`/api/files/${kyab}?type=audio`)).status).toBe(200);
  await program.end();

  const stopped = await verify('--mend');
  expect(stopped.code).toBe(1);
  expect(stopped.said).toContain('unlisted   ff/ff-orphan.wav  9 bytes: set aside\n');
  expect(stopped.said).toContain('2 files are missing or damaged and can’t be played.');
  const again = await startTestProgram(dataDir);
  expect((await again.teacher.get(`/api/files/${kyab}?type=audio`)).status).toBe(503);
  await again.program.end();

  bytes[1000]! ^= 1;
  await writeFile(join(media, getMediaFilePath(kyab)), bytes);
  await writeFile(join(media, getMediaFilePath(tara)), bytes);
  expect((await verify('--mend')).code).toBe(0);

  expect(await verify('--bend')).toMatchObject({ code: 2, said: expect.stringContaining('[-- --mend]') });
  expect(await runScript('verify', [], { DATA_DIR: join(dataDir, 'elsewhere') })).toEqual({
    code: 2,
    said: expect.stringMatching(/^There is no database in .*\n$/),
  });
});
