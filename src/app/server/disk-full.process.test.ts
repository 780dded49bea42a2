import { execFileSync } from 'node:child_process';
import { statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { STORAGE_FULL_MESSAGE } from '#server/media/disk-space.ts';
import { TestClient } from '#testing/client.ts';
import { createDataFolder, startProgram } from '#testing/program.ts';
import { createWav } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';

const MB = 1_000_000;
const MIN_FREE = 80 * MB;
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

/** Mounts a separate disk that a few recordings fill. Returns null if the test may not mount disks. */
async function smallDisk() {
  const { dataDir, remove } = await createDataFolder();
  cleanUp.push(remove);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', dataDir], { stdio: 'pipe' });
  } catch {
    return null;
  }
  // Unmounts lazily, because a database process may still be running after a failure.
  cleanUp.push(() => execFileSync('umount', ['-l', dataDir]));
  return dataDir;
}

test('rejects uploads before the database runs out of disk space', async ({ skip }) => {
  const disk = await smallDisk();
  if (disk === null) return skip('needs the right to mount a small disk');
  const filler = join(disk, 'filler');
  await writeFile(filler, Buffer.alloc(40 * MB));
  const program = await startProgram({
    dataDir: join(disk, 'data'),
    // Disables ffmpeg, because copies would use some of the space that is measured here.
    environment: { ADMIN_PASSWORD: 'teacher-pass', MIN_FREE_DISK: String(MIN_FREE), FFMPEG_PATH: 'none' },
  });
  cleanUp.push(async () => {
    if (program.child.exitCode === null) await program.end('SIGKILL');
  });
  const freeNow = async () => {
    const { bavail, bsize } = await statfs(disk);
    return bavail * bsize;
  };
  const teacher = new TestClient(program.url);
  const signIn = (client: TestClient, username: string, password: string) =>
    client.post('/api/login', { username, password });
  expect((await signIn(teacher, 'khandro', 'teacher-pass')).status).toBe(200);
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const invite = async (email: string) => {
    const form = { email, firstName: 'Tashi', lastName: 'Dolma', transmissionLevels: [level!.id] };
    const { status, body } = await teacher.post('/api/admin/create-user-with-credentials', form);
    expect(status).toBe(201);
    return body as { user: { username: string }; password: string };
  };
  const { user, password } = await invite('tashi@example.org');
  const student = new TestClient(program.url);
  await signIn(student, user.username, password);

  const song = createWav(60, 32_000, () => (Math.random() - 0.5) * 20_000);
  const chunks = [0, MB, 2 * MB, 3 * MB].filter((start) => start < song.length);
  /** Sends a recording. Returns the first unsuccessful status, or 201, and its message. */
  async function send(): Promise<[status: number, message: string]> {
    const uploadId = crypto.randomUUID();
    const begun = await student.put(`/api/uploads/${uploadId}`, { size: song.length });
    if (begun.status !== 200) return [begun.status, begun.body.message];
    for (const start of chunks) {
      const chunk = song.subarray(start, start + MB);
      const taken = await student.patch(`/api/uploads/${uploadId}?start=${start}`, chunk);
      if (taken.status === 200) continue;
      // Deletes the upload, because space would otherwise stay reserved for the rest of it.
      await student.delete(`/api/uploads/${uploadId}`);
      return [taken.status, taken.body.message];
    }
    const form = { title: 'Sung', uploadId, clientId: uploadId };
    const { status, body } = await student.form('/api/recordings', form);
    if (status !== 201) await student.delete(`/api/uploads/${uploadId}`);
    return [status, body.message];
  }

  let created = 0;
  const refused = new Set<string>();
  for (let round = 0; round < 30 && refused.size === 0; round += 1) {
    for (const [status, message] of await Promise.all([send(), send(), send()])) {
      if (status === 201) created += 1;
      else refused.add(`${status} ${message}`);
    }
  }
  expect(created).toBeGreaterThan(2);
  expect([...refused]).toEqual([`507 ${STORAGE_FULL_MESSAGE}`]);
  // Sends until ten uploads in a row are rejected. After a single rejection, the remaining space may still be
  // enough for another upload.
  for (let inARow = 0; inARow < 10;) {
    const [status] = await send();
    expect([201, 507]).toContain(status);
    if (status === 201) created += 1;
    inARow = status === 507 ? inARow + 1 : 0;
  }
  // Retries, because the notice is written after the error response, and because an upload may succeed if the
  // database has just freed space.
  await waitFor(async () => {
    const [status] = await send();
    if (status === 201) created += 1;
    expect(status).toBe(507);
    expect((await teacher.get('/api/ready')).body).toMatchObject({ status: 'ready', warnings: ['disk-low'] });
    expect((await teacher.get('/api/admin/notices')).body).toContainEqual(
      expect.objectContaining({ kind: 'disk-low', detail: { least: MIN_FREE } }),
    );
  });

  // Text is still accepted, even more than fits in a WAL segment. The text is random, so that the database
  // can't compress it.
  const pending = (await teacher.get('/api/recordings/pending')).body as { id: number }[];
  expect(pending).toHaveLength(created);
  for (let count = 0; count < 60; count += 1) {
    const text = Buffer.from(crypto.getRandomValues(new Uint8Array(14_000))).toString('base64');
    const draft = { text: `${count} ${text}`, marks: [] };
    const path = `/api/admin/recordings/${pending[count % created]!.id}/draft`;
    expect((await teacher.put(path, draft)).status).toBe(200);
  }
  const marks = JSON.stringify([{ start: 1, end: null, text: 'Here' }]);
  const reply = { recordingId: pending[0]!.id, writtenFeedback: 'Well sung', marks };
  expect((await teacher.form('/api/feedback', reply)).status).toBe(201);
  const another = await invite('pema@example.org');
  expect((await signIn(new TestClient(program.url), another.user.username, another.password)).status).toBe(
    200,
  );
  expect((await student.get('/api/feedback')).body).toMatchObject([{ writtenFeedback: 'Well sung' }]);

  expect(await freeNow(), 'more than half of the reserve is free').toBeGreaterThan(MIN_FREE / 2);
  expect(program.getOutput()).toMatch(/the disk is nearly full/);
  expect(program.getOutput()).not.toMatch(/No space left|ENOSPC|53100|PANIC/);

  await unlink(filler);
  await waitFor(async () => expect((await send())[0]).toBe(201), { interval: 500 });
  expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
