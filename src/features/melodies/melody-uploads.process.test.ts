import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { MEBIBYTE } from '#shared/media.ts';
import { TestClient } from '#testing/client.ts';
import { createDataFolder, startProgram, type RunningProgram } from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

const song = createTone(300);

/**
 * Starts a server that can be killed and restarted with the same port and data, and signs in as the teacher.
 */
async function startServer() {
  const { dataDir, remove } = await createDataFolder();
  cleanUp.push(remove);
  const start = (port?: number) =>
    startProgram({
      dataDir,
      environment: { ADMIN_PASSWORD: 'teacher-pass' },
      ...(port !== undefined && { port }),
    });
  let program: RunningProgram = await start();
  cleanUp.push(() => program.end('SIGKILL'));
  const teacher = new TestClient(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  await teacher.post('/api/init');
  return {
    teacher,
    dataDir,
    kill: () => program.end('SIGKILL'),
    async startAgain() {
      program = await start(Number(new URL(program.url).port));
    },
  };
}

/**
 * Watches a folder.
 * @returns `hasFile`, which resolves when a file appears in the folder
 */
async function watched(folder: string) {
  await mkdir(folder, { recursive: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, { recursive: true }, () => resolve());
  return { hasFile: promise.finally(() => watcher.close()) };
}

test('creates one melody even if the server is killed during upload and saving', async () => {
  const server = await startServer();
  const { teacher, dataDir } = server;
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const announced = { size: song.length, slot: 'melody-audio' };
  const receivedOf = async (at: string) =>
    ((await teacher.put(at, announced)).body as { received: number }).received;

  async function sendRest(at: string) {
    for (let received = await receivedOf(at); received < song.length; received = await receivedOf(at))
      await teacher.patch(`${at}?start=${received}`, song.subarray(received, received + MEBIBYTE));
  }

  const interrupted = crypto.randomUUID();
  const at = `/api/uploads/${interrupted}`;
  await teacher.put(at, announced);
  await teacher.patch(`${at}?start=0`, song.subarray(0, MEBIBYTE));
  // The server is killed before the response to this chunk arrives.
  const unheard = teacher.patch(`${at}?start=${MEBIBYTE}`, song.subarray(MEBIBYTE, 2 * MEBIBYTE));
  await Promise.all([unheard.catch(() => null), server.kill()]);
  await server.startAgain();
  expect([MEBIBYTE, 2 * MEBIBYTE]).toContain(await receivedOf(at));

  for (const [folder, id] of [
    ['staging', interrupted],
    ['media', crypto.randomUUID()],
  ] as const) {
    await sendRest(`/api/uploads/${id}`);
    const add = () =>
      teacher.form('/api/melodies', {
        title: `Outlived ${folder}`,
        transmissionLevelId: level!.id,
        clientId: id,
        audioUploadId: id,
      });
    const { hasFile } = await watched(join(dataDir, folder));
    const answer = add().catch(() => null);
    await hasFile;
    await server.kill();
    await answer;

    await server.startAgain();
    expect([200, 201]).toContain((await add()).status);
    expect((await add()).status).toBe(200);
    const found = (await teacher.get(`/api/melodies?q=${folder}`)).body as { audioUrl: string }[];
    expect(found).toHaveLength(1);
    const heard = await teacher.get(`/api/files/${found[0]!.audioUrl}?type=audio`);
    expect(heard.bytes.equals(song)).toBe(true);
    expect(await receivedOf(`/api/uploads/${id}`)).toBe(0);
  }
});
