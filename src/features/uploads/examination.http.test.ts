import { afterEach, expect, test } from 'vitest';
import type { inspectAudio } from '#server/audio/inspect.ts';
import { inspectAudioWithCache } from '#testing/inspect-audio-with-cache.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { startAppWithUploadHooks } from '#testing/upload-hooks.ts';

/** Inspections that have begun, oldest first; each waits until `release` is called. */
const begun: { tell(fraction: number): void; release(): void }[] = [];
let heed: () => void = () => undefined;

/** Returns a promise that resolves when the next inspection begins. */
const beginning = () => new Promise<void>((resolve) => (heed = resolve));

const heldInspection: typeof inspectAudio = async (path, rules, decoders, options) => {
  options?.onProgress?.(0);
  await new Promise<void>((release) => {
    begun.push({ tell: (fraction) => options?.onProgress?.(fraction), release });
    heed();
  });
  return inspectAudioWithCache(path, rules, decoders);
};

let beforePublishing: () => Promise<unknown> = () => Promise.resolve();
const { app, during, atOnce } = await startAppWithUploadHooks({
  alone: true,
  inspect: heldInspection,
  store: (real) => ({
    ...real,
    publish: async (...file) => {
      await beforePublishing();
      await real.publish(...file);
    },
  }),
});
afterEach(() => {
  during.afterStaging = null;
  for (const { release } of begun) release();
  // Lets an inspection finish even if it begins after a test has failed.
  heed = () => begun.at(-1)!.release();
});
const song = createTone(1);

async function uploadSong(client: TestClient) {
  const uploadId = crypto.randomUUID();
  await client.put(`/api/uploads/${uploadId}`, { size: song.length });
  await client.patch(`/api/uploads/${uploadId}?start=0`, song);
  return uploadId;
}

const examinationOf = async (client: TestClient, uploadId: string) => {
  const { status, body } = await client.get(`/api/uploads/${uploadId}/examination`);
  expect(status).toBe(200);
  return body.examination as unknown;
};

const submit = (client: TestClient, uploadId: string) =>
  client.form('/api/recordings', { title: 'Long', uploadId, clientId: uploadId });

test('reports the progress of an inspection only to the owner of the upload', async () => {
  const student = await app.as(await app.make.student());
  const others = [await app.as(await app.make.student()), await app.as(await app.make.teacher())];
  const uploadId = await uploadSong(student);
  expect(await examinationOf(student, uploadId)).toBe(null);

  const isBegun = beginning();
  const submitted = submit(student, uploadId);
  await isBegun;
  expect(await examinationOf(student, uploadId)).toEqual({ step: 'running', fraction: 0 });
  begun.at(-1)!.tell(0.4);
  expect(await examinationOf(student, uploadId)).toEqual({ step: 'running', fraction: 0.4 });
  for (const other of others) {
    // The other user's upload has the same id and is not being inspected.
    await other.put(`/api/uploads/${uploadId}`, { size: song.length });
    expect(await examinationOf(other, uploadId)).toBe(null);
  }

  let afterwards: unknown;
  beforePublishing = async () => (afterwards = await examinationOf(student, uploadId));
  begun.at(-1)!.release();
  expect((await submitted).status).toBe(201);
  expect(afterwards).toBe(null);
});

test('reports a file as waiting until the inspection of the previous file ends', async () => {
  const student = await app.as(await app.make.student());
  const [first, second] = [await uploadSong(student), await uploadSong(student)];
  let isBegun = beginning();
  const submitted = [submit(student, first)];
  await isBegun;
  submitted.push(submit(student, second));
  await expect.poll(() => examinationOf(student, second)).toEqual({ step: 'waiting', fraction: 0 });
  expect(await examinationOf(student, first)).toEqual({ step: 'running', fraction: 0 });
  isBegun = beginning();
  begun.at(-1)!.release();
  await isBegun;
  expect(await examinationOf(student, second)).toEqual({ step: 'running', fraction: 0 });
  begun.at(-1)!.release();
  expect((await Promise.all(submitted)).map(({ status }) => status)).toEqual([201, 201]);
});

test('if a recording is sent twice, reports the inspection that is furthest along', async () => {
  const student = await app.as(await app.make.student());
  const uploadId = await uploadSong(student);
  let isBegun = beginning();
  const send = () => submit(student, uploadId);
  const submitted = atOnce([send, send]);
  await isBegun;
  begun.at(-1)!.tell(0.4);
  expect(await examinationOf(student, uploadId)).toEqual({ step: 'running', fraction: 0.4 });
  isBegun = beginning();
  begun.at(-1)!.release();
  await isBegun;
  begun.at(-1)!.release();
  expect((await submitted).map(({ status }) => status).sort()).toEqual([200, 201]);
});

test('does not report an inspection after the file was rejected', async () => {
  const student = await app.as(await app.make.student());
  const uploadId = crypto.randomUUID();
  await student.put(`/api/uploads/${uploadId}`, { size: 9 });
  await student.patch(`/api/uploads/${uploadId}?start=0`, Buffer.from('no sound!'));
  const isBegun = beginning();
  const submitted = submit(student, uploadId);
  await isBegun;
  begun.at(-1)!.release();
  expect((await submitted).status).toBe(415);
  expect(await examinationOf(student, uploadId)).toBe(null);
});
