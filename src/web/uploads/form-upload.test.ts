import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mockBlobReads } from '#testing/blobs.ts';
import { type callApi, CallError } from '../api/call.ts';
import { createFormUpload, type FormUploadFile, type FormUpload } from './form-upload.ts';
import { getUploadId } from './upload-id.ts';

const page = new EventTarget();
beforeEach(() => {
  vi.useFakeTimers();
  mockBlobReads();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

const audio = (): FormUploadFile => ({ blob: new Blob([new Uint8Array(3_000_000)]), slot: 'melody-audio' });
const picture = (): FormUploadFile => ({
  blob: new Blob([new Uint8Array(1_000_000)]),
  slot: 'melody-thumbnail',
});
const noConnection = () => new CallError(0, 'No connection.');
const createRejection = (status: number, message: string) =>
  new CallError(status, JSON.stringify({ message }));

const MIB = 1024 * 1024;
const bytes = (length: number) => new Blob([new Uint8Array(length)]);

/** Stores uploads like the real server, behind a connection that can be cut. */
function fakeServer() {
  const uploads = new Map<string, { size: number; slot: string; received: number }>();
  const state = {
    isDown: false,
    cutAfter: Infinity,
    calls: [] as string[],
    sent: 0,
    examined: [] as string[],
  };
  const answer = (route: string, options: unknown): Promise<unknown> => {
    const { params, body, query, bytes } = options as {
      params: { clientId: string };
      body?: { size: number; slot: string };
      query?: { start: number };
      bytes?: Blob;
    };
    if (route.endsWith('/examination')) {
      state.examined.push(params.clientId);
      return Promise.resolve({ examination: { step: 'running', fraction: 0.4 } });
    }
    if (state.isDown || state.sent >= state.cutAfter) return Promise.reject(noConnection());
    state.calls.push(route.slice(0, route.indexOf(' ')));
    const upload = uploads.get(params.clientId) ?? { size: body!.size, slot: body!.slot, received: 0 };
    uploads.set(params.clientId, upload);
    if (bytes && query!.start === upload.received) {
      upload.received += bytes.size;
      state.sent += bytes.size;
    }
    return Promise.resolve({ received: upload.received });
  };
  /** Fakes the call that uses the uploads. */
  const commit = (ids: readonly string[]) => {
    const isWhole = ids.every((id) => uploads.get(id)?.received === uploads.get(id)?.size && uploads.has(id));
    if (!isWhole) return Promise.reject(createRejection(409, 'Not complete'));
    for (const id of ids) uploads.delete(id);
    return Promise.resolve({ id: 7 });
  };
  return { state, uploads, commit, call: answer as unknown as typeof callApi };
}

const statesOf = (upload: FormUpload) => {
  const seen = [upload.get()];
  upload.subscribe(() => seen.push(upload.get()));
  return seen;
};

test('an upload waits while offline and resumes without sending data twice', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const seen = statesOf(upload);
  server.state.cutAfter = 1_000_000;
  const made = upload.send([audio()], server.commit);
  await pass(1_000);
  expect(upload.get().step).toBe('waiting');
  const before = upload.get().fraction;
  expect(before).toBeGreaterThan(0);
  await pass(3_600_000);
  expect(upload.get()).toMatchObject({ step: 'waiting', fraction: before });
  server.state.cutAfter = Infinity;
  await pass(400_000);
  expect(await made).toEqual({ id: 7 });
  expect(server.state.sent).toBe(3_000_000);
  const fractions = seen.map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(upload.get()).toEqual({ step: 'idle', fraction: 1, inspectionProgress: null });
});

test.each(['online', 'focus'])('an upload resumes immediately on the event “%s”', async (event) => {
  const server = fakeServer();
  server.state.isDown = true;
  const made = createFormUpload({ ...server, random: () => 0.5 }).send([audio()], server.commit);
  await pass(1_800_000);
  server.state.isDown = false;
  await pass(10);
  expect(server.state.calls).toEqual([]);
  page.dispatchEvent(new Event(event));
  await pass(10);
  expect(await made).toEqual({ id: 7 });
});

test('uploads files one by one to their slots, then calls onComplete with their ids', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const seen = statesOf(upload);
  const commit = vi.fn(async (ids: readonly string[]) => {
    const slots = ids.map((id) => server.uploads.get(id)?.slot);
    return { ...(await server.commit(ids)), slots };
  });
  expect(await upload.send([picture(), audio()], commit)).toEqual({
    id: 7,
    slots: ['melody-thumbnail', 'melody-audio'],
  });
  expect(commit).toHaveBeenCalledTimes(1);
  expect(seen.map(({ fraction }) => fraction)).toContain(0.25);
});

test('after a stop, nothing is sent until a later attempt sends the rest', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const file = audio();
  server.state.cutAfter = 1_000_000;
  const stopped = expect(upload.send([file], server.commit)).rejects.toMatchObject({ name: 'AbortError' });
  await pass(1_000);
  upload.stop();
  await stopped;
  expect(upload.get()).toMatchObject({ step: 'stopped', fraction: 0 });
  server.state.cutAfter = Infinity;
  await pass(3_600_000);
  const { sent } = server.state;
  expect(sent).toBeLessThan(3_000_000);
  expect(await upload.send([file], server.commit)).toEqual({ id: 7 });
  expect(server.state.sent).toBe(3_000_000);
});

test('an error response (413) ends the upload without a retry', async () => {
  const server = fakeServer();
  const call = vi.fn().mockRejectedValue(createRejection(413, 'Too large.'));
  const commit = vi.fn(server.commit);
  const sent = createFormUpload({ call }).send([audio()], commit);
  await expect(sent).rejects.toMatchObject({ status: 413, serverMessage: 'Too large.' });
  expect([call.mock.calls.length, commit.mock.calls.length]).toEqual([1, 0]);
});

test('after a lost response, the next attempt does not upload the files again', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const file = audio();
  const lost = async (ids: readonly string[]) => {
    await server.commit(ids);
    throw noConnection();
  };
  await expect(upload.send([file], lost)).rejects.toMatchObject({ status: 0 });
  const calls = server.state.calls.length;
  expect(await upload.send([file], () => Promise.resolve('known'))).toBe('known');
  expect(server.state.calls).toHaveLength(calls);
});

test('uploads the files again if the server has deleted them since the last attempt', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const file = audio();
  const never = () => Promise.reject(noConnection());
  await expect(upload.send([file], never)).rejects.toMatchObject({ status: 0 });
  server.uploads.clear();
  expect(await upload.send([file], server.commit)).toEqual({ id: 7 });
  expect(server.state.sent).toBe(6_000_000);
});

test('an upload stops if somebody else has signed in on this device', async () => {
  const server = fakeServer();
  const call = vi.fn().mockRejectedValue(createRejection(412, 'Somebody else'));
  const sent = createFormUpload({ ...server, call }).send([audio()], server.commit);
  await expect(sent).rejects.toMatchObject({ serverMessage: 'Somebody else' });
  expect(call).toHaveBeenCalledOnce();
});

test('reports a file that can’t be read any more instead of waiting for a connection', async () => {
  const server = fakeServer();
  const file = audio();
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('', 'NotReadableError'));
  server.state.cutAfter = 1;
  const sent = createFormUpload(server).send([file], server.commit);
  await expect(sent).rejects.toMatchObject({
    serverMessage: 'We can’t read this file any more. Please choose it again.',
  });
});

test('calls onComplete immediately if there are no files', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  expect(await upload.send([], (ids) => Promise.resolve(ids))).toEqual([]);
  expect([server.state.calls, upload.get().step]).toEqual([[], 'idle']);
});

test('reports the server’s progress in inspecting a large audio file', async () => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const song: FormUploadFile = { blob: bytes(8 * MIB), slot: 'melody-audio' };
  let commit!: () => void;
  const held = new Promise<void>((resolve) => (commit = resolve));
  const made = upload.send([picture(), song], async (ids) => (await held, server.commit(ids)));
  await pass(3_999);
  expect(upload.get()).toEqual({ step: 'sending', fraction: 1, inspectionProgress: null });
  await pass(10);
  expect(upload.get().inspectionProgress).toEqual({ step: 'running', fraction: 0.4 });
  expect(server.state.examined).toEqual([getUploadId(song.blob)]);
  commit();
  await made;
  expect(upload.get()).toEqual({ step: 'idle', fraction: 1, inspectionProgress: null });
});

test.each<[string, FormUploadFile]>([
  ['a small audio file', { blob: bytes(8 * MIB - 1), slot: 'melody-audio' }],
  ['a picture', { blob: bytes(8 * MIB), slot: 'melody-thumbnail' }],
])('does not poll for the inspection progress of %s', async (_, file) => {
  const server = fakeServer();
  const upload = createFormUpload(server);
  const made = upload.send([file], () => new Promise(() => undefined));
  made.catch(() => undefined);
  await pass(3_600_000);
  expect([upload.get().fraction, server.state.examined]).toEqual([1, []]);
});
