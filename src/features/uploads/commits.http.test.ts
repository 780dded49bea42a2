import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createServices } from '../../server.ts';
import { startTestApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { tone } from '../../testing/tone.ts';

/** What happens while the pieces of an upload are read for its commit. */
let afterFirstPiece: (() => Promise<unknown>) | null = null;
let afterLastPiece: (() => Promise<unknown>) | null = null;

async function* watched(pieces: Readable): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    yield piece;
    if (isFirst) await afterFirstPiece?.();
    isFirst = false;
  }
  await afterLastPiece?.();
}

const app = await startTestApp({
  services: (_, parts) =>
    createServices({
      ...parts,
      staging: {
        ...parts.staging,
        receive: (stream, slot) => parts.staging.receive(Readable.from(watched(stream)), slot),
      },
    }),
});
afterEach(() => {
  afterFirstPiece = null;
  afterLastPiece = null;
});

const PIECE = 10_000;
const song = tone(3);
const student = async () => app.as(await app.make.student());

async function uploaded(client: Client) {
  const uploadId = crypto.randomUUID();
  const at = `/api/uploads/${uploadId}`;
  await client.put(at, { size: song.length });
  for (let start = 0; start < song.length; start += PIECE)
    expect((await client.patch(`${at}?start=${start}`, song.subarray(start, start + PIECE))).status).toBe(
      200,
    );
  return { uploadId, giveUp: () => client.delete(at) };
}

/** Makes the calls so that each has its whole file before any of them is kept. */
async function atOnce<T>(calls: (() => Promise<T>)[]) {
  let arrived = 0;
  let letGo!: () => void;
  const all = new Promise<void>((resolve) => (letGo = resolve));
  afterLastPiece = () => {
    arrived += 1;
    if (arrived === calls.length) letGo();
    return all;
  };
  return Promise.all(calls.map((call) => call()));
}

const kept = async () => [
  await app.count('recordings'),
  await app.count('media_files'),
  (await app.files()).length,
];

test('an upload that shrinks while it is read makes no recording', async () => {
  const browser = await student();
  const { uploadId, giveUp } = await uploaded(browser);
  const before = await kept();
  afterFirstPiece = giveUp;
  const reply = await browser.form('/api/recordings', { title: 'Torn', uploadId });
  expect([reply.status, reply.body.message]).toEqual([
    409,
    'The file is no longer here as a whole. Please send it again.',
  ]);
  expect(await kept()).toEqual(before);
});

test('an upload that two recordings name at the same moment makes one', async () => {
  const browser = await student();
  const { uploadId } = await uploaded(browser);
  const before = await kept();
  const send = () =>
    browser.form('/api/recordings', { title: 'Twice', uploadId, clientId: crypto.randomUUID() });
  const replies = await atOnce([send, send, send]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await kept()).toEqual(before.map((count) => count + 1));
});

test('the same recording that is sent twice at the same moment is one, and both are told so', async () => {
  const browser = await student();
  const { uploadId } = await uploaded(browser);
  const form = { title: 'Once', uploadId, clientId: crypto.randomUUID() };
  const send = () => browser.form('/api/recordings', form);
  const replies = await atOnce([send, send]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 201]);
  expect(replies[0]!.body.id).toBe(replies[1]!.body.id);
});

test('an upload that two replies name at the same moment makes one, and the other recording still waits', async () => {
  const teacher = await app.as(await app.make.teacher());
  const { uploadId } = await uploaded(teacher);
  const recordings = [await app.make.recording(), await app.make.recording()];
  const replies = await atOnce(
    recordings.map(
      ({ id }) =>
        () =>
          teacher.form('/api/feedback', { recordingId: id, uploadId }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  const waiting = recordings[replies.findIndex(({ status }) => status === 409)]!;
  const pending = (await teacher.get('/api/recordings/pending')).body as { id: number }[];
  const own = pending.filter(({ id }) => recordings.some((recording) => recording.id === id));
  expect(own.map(({ id }) => id)).toEqual([waiting.id]);
});

test('an upload that two corrections name at the same moment becomes the sound of one', async () => {
  const teacher = await app.as(await app.make.teacher());
  const { uploadId } = await uploaded(teacher);
  const given = [await app.make.feedback(), await app.make.feedback()];
  const replies = await atOnce(
    given.map(
      ({ id }) =>
        () =>
          teacher.form(`/api/feedback/${id}`, { uploadId }, { method: 'PUT' }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
});
