import { beforeEach, expect, test, vi } from 'vitest';
import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import type { PackFile } from '../contract.ts';
import { fetchPackEntry } from './fetch-pack-entry.ts';
import { createLease } from './lease.ts';
import { PACK_CHUNK_BYTES, openPackStore } from './pack-store.ts';
import { createPackWorker } from './pack-worker.ts';

// Tests the pack's part of the service worker with the browser's own IndexedDB and cryptography. The server is
// faked by a function from URL to response.

const USER = 'tashi';
const LEASE = { at: '2026-11-23T00:00:00.000Z', until: '2026-12-23T00:00:00.000Z' };
const SOUND = Uint8Array.from({ length: PACK_CHUNK_BYTES + 1000 }, (_, index) => index % 251);
const file: PackFile = {
  name: 'song.wav',
  type: 'audio',
  contentType: 'audio/wav',
  size: SOUND.length,
  sha256: 'abc',
};
const melody = { id: 7, title: 'Refuge', createdAt: '2026-11-20T00:00:00.000Z', melodyText: 'Sangye' };
const noConnection = () => Promise.reject(new TypeError('Failed to fetch'));
/** Event from a user's page. In these tests, a page's client id is the id of its user. */
const from = (userId: string) => ({ waitUntil: () => undefined, clientId: userId });
const createWorker = () => createPackWorker((clientId) => Promise.resolve(clientId || null));

const store = openPackStore();
let server: (url: string) => Promise<Response>;

beforeEach(async () => {
  await store.shred();
  server = noConnection;
  vi.spyOn(globalThis, 'fetch').mockImplementation((asked) =>
    server(asked instanceof Request ? asked.url : String(asked)),
  );
});

const json =
  (body: unknown, status = 200) =>
  () =>
    Promise.resolve(
      new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
    );

async function keepMelody() {
  const owner = await store.ensureOwner(USER);
  await store.request([melody.id]);
  await store.update(
    owner,
    [melody.id],
    [{ id: melody.id, version: 'one', files: [file] }],
    createLease(LEASE, Date.now()),
  );
  await store.addResponse(owner, melody.id, 'one', melody);
  for (const index of [0, 1]) {
    const bytes = SOUND.slice(index * PACK_CHUNK_BYTES, (index + 1) * PACK_CHUNK_BYTES);
    expect(await store.addChunk(owner, melody.id, 'one', { name: file.name, index, bytes })).toBe(true);
  }
  await store.finish(owner, melody.id, 'one');
  return owner;
}

async function requestFromWorker(
  path: string,
  headers: Record<string, string> = {},
  worker = createWorker(),
  page = USER,
) {
  const request = new Request(new URL(path, location.href), { headers });
  const answer = worker.respond(request, from(page));
  expect(answer).not.toBeNull();
  return answer!;
}

const sound = (headers: Record<string, string> = {}) =>
  requestFromWorker('/api/files/song.wav?type=audio', headers);

test('serves whole audio, ranges across chunks, and 304 for unchanged audio', async () => {
  await keepMelody();
  const whole = await sound();
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(SOUND);
  const [from, to] = [PACK_CHUNK_BYTES - 3, PACK_CHUNK_BYTES + 4];
  const part = await sound({ range: `bytes=${from}-${to}` });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes ${from}-${to}/${SOUND.length}`,
  ]);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(SOUND.slice(from, to + 1));
  const last = await sound({ range: 'bytes=-5' });
  expect(new Uint8Array(await last.arrayBuffer())).toEqual(SOUND.slice(-5));
  expect((await sound({ range: `bytes=${SOUND.length}-` })).status).toBe(416);
  expect((await sound({ 'if-none-match': '"abc"' })).status).toBe(304);
  expect((await sound({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
});

test('audio stored as a small copy is served only at the URL of the copy', async () => {
  const small: PackFile = { ...file, copy: 'small' };
  const { signal } = new AbortController();
  const owner = await store.ensureOwner(USER);
  await store.request([melody.id]);
  const lease = createLease(LEASE, Date.now());
  await store.update(owner, [melody.id], [{ id: melody.id, version: 'one', files: [small] }], lease);
  const asked: string[] = [];
  server = (url) => {
    asked.push(url.replace(location.origin, ''));
    if (url.includes('/api/melodies'))
      return json({ ...melody, audioUrl: file.name, audioCopies: ['small'] })();
    return Promise.resolve(new Response('of the server'));
  };
  const [entry] = await store.listEntries();
  // The download requests the small copy. Then it fails, because the fake response does not match the hash of
  // the file.
  await expect(
    fetchPackEntry(store, owner, entry!, { signal, onProgress: () => undefined }),
  ).rejects.toThrow();
  expect(asked).toEqual(['/api/melodies/7?keep=yes', '/api/files/song.wav?type=audio&copy=small&keep=yes']);
  for (const index of [0, 1]) {
    const bytes = SOUND.slice(index * PACK_CHUNK_BYTES, (index + 1) * PACK_CHUNK_BYTES);
    await store.addChunk(owner, melody.id, 'one', { name: file.name, index, bytes });
  }
  await store.finish(owner, melody.id, 'one');

  const copy = await requestFromWorker('/api/files/song.wav?type=audio&copy=small', { range: 'bytes=9-11' });
  expect(new Uint8Array(await copy.arrayBuffer())).toEqual(SOUND.slice(9, 12));
  // An audio element that started with the original still gets the original, from the server.
  expect(await (await sound()).text()).toBe('of the server');
  server = noConnection;
  const answer = await requestFromWorker('/api/melodies/7', { [EXPECTED_USER_HEADER]: USER });
  const { audioUrl } = (await answer.json()) as { audioUrl: string };
  expect(audioUrl).toBe('/api/files/song.wav?type=audio&copy=small');
  expect((await requestFromWorker(audioUrl)).status).toBe(200);
});

test('a smaller copy replaces unfinished downloads, but not stored files', async () => {
  const owner = await keepMelody();
  const [song, other] = [
    { ...file, copy: 'small' as const, size: 5, sha256: 'small' },
    { ...file, name: 'other.wav' },
  ];
  const lease = createLease(LEASE, Date.now());
  const say = (version: string, files: PackFile[]) =>
    store.update(owner, [melody.id], [{ id: melody.id, version, files }], lease);
  await say('one', [song]);
  expect(await store.listEntries()).toMatchObject([{ kept: { files: [file] }, next: null }]);
  // In the new version only the words have changed, so the stored audio stays.
  await say('two', [song, other]);
  expect(await store.listEntries()).toMatchObject([{ next: { files: [file, other] } }]);
  const bytes = SOUND.slice(0, PACK_CHUNK_BYTES);
  expect(await store.addChunk(owner, 7, 'two', { name: other.name, index: 0, bytes })).toBe(true);
  await say('two', [song, other]);
  expect(await store.listEntries()).toMatchObject([{ next: { chunks: { 'other.wav': 1 } } }]);
  const copy = { ...other, copy: 'small' as const, size: 7, sha256: 'copy' };
  await say('two', [song, copy]);
  expect(await store.listEntries()).toMatchObject([
    { kept: { files: [file] }, next: { files: [file, copy], chunks: {} } },
  ]);
  expect(new Uint8Array(await (await sound()).arrayBuffer())).toEqual(SOUND);
});

test('a read waits for a running access check, and fails if access has been revoked', async () => {
  await keepMelody();
  const worker = createWorker();
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server = async (url) => {
    if (!url.includes('/api/pack')) return json({ message: 'Not found' }, 404)();
    asked.resolve();
    await answered.promise;
    return json({ ...LEASE, melodies: [], own: null })();
  };
  const checked = worker.onContact();
  await asked.promise;
  let isAnswered = false;
  const answer = requestFromWorker('/api/files/song.wav?type=audio', {}, worker).finally(
    () => (isAnswered = true),
  );
  // Waits much longer than the pack would take to respond without the access check.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isAnswered).toBe(false);
  answered.resolve();
  expect((await answer).status).toBe(404);
  await checked;
  expect(await store.listEntries()).toEqual([]);
});

test.each([401, 412])('deletes the whole pack when the server returns %i', async (status) => {
  await keepMelody();
  server = json({ message: 'No' }, status);
  await createWorker().onContact();
  expect([await store.findOwner(), await store.listEntries()]).toEqual([null, []]);
});

test.each([
  ['no connection', noConnection],
  ['the page of a captive portal', () => Promise.resolve(new Response('<h1>Wi-Fi</h1>'))],
  ['a server error', json({ message: 'Sorry' }, 500)],
])('%s does not count as contact with the server, and deletes nothing', async (_, given) => {
  await keepMelody();
  server = given;
  const worker = createWorker();
  await worker.onContact();
  expect(await store.listEntries()).toHaveLength(1);
  server = noConnection;
  const theirs = await requestFromWorker('/api/melodies?view=card', { [EXPECTED_USER_HEADER]: USER });
  expect(await theirs.json()).toMatchObject([{ id: 7, title: 'Refuge', textBytes: 6 }]);
  for (const headers of [{}, { [EXPECTED_USER_HEADER]: 'somebody' }])
    expect((await requestFromWorker('/api/melodies?view=card', headers as Record<string, string>)).type).toBe(
      'error',
    );
});

test('serves stored files to their owner’s pages, and forwards other requests', async () => {
  await keepMelody();
  server = json({ message: 'Not found' }, 404);
  const worker = createWorker();
  // An empty client id means that the file is opened as a page.
  for (const page of ['somebody', ''])
    expect((await requestFromWorker('/api/files/song.wav?type=audio', {}, worker, page)).status).toBe(404);
  expect((await requestFromWorker('/api/files/song.wav?type=audio', {}, worker, USER)).status).toBe(200);
});

test.each([
  [USER, 1],
  ['somebody', 0],
  [null, 0],
])('keepOnlyFor(%s) leaves %i of the melodies stored for tashi', async (userId, left) => {
  await keepMelody();
  await createWorker().keepOnlyFor(userId);
  expect(await store.listEntries()).toHaveLength(left);
});

test('discards a chunk that arrives after its melody or pack has been deleted', async () => {
  const begin = async () => {
    const owner = await store.ensureOwner(USER);
    await store.request([7]);
    const lease = createLease(LEASE, Date.now());
    await store.update(owner, [7], [{ id: 7, version: 'one', files: [file] }], lease);
    return owner;
  };
  const late = { name: file.name, index: 0, bytes: SOUND.slice(0, PACK_CHUNK_BYTES) };
  const owner = await begin();
  await store.update(owner, [7], [], createLease(LEASE, Date.now()));
  expect(await store.addChunk(owner, 7, 'one', late)).toBe(false);
  await store.shred();
  await begin();
  expect(await store.addChunk(owner, 7, 'one', late)).toBe(false);
  expect(await counts()).toMatchObject({ chunks: 0 });
});

test('data left by an interrupted deletion can’t be read, and is deleted on next use', async () => {
  const owner = await keepMelody();
  await inRaw('owner', (found) => found.clear());
  expect(await counts()).toMatchObject({ owner: 0, chunks: 2 });
  await expect(store.readChunk(owner, file.name, 0)).rejects.toThrow('No longer kept');
  expect(await store.findOwner()).toBeNull();
  expect(await counts()).toEqual({ owner: 0, entries: 0, chunks: 0 });
});

test('rejects a chunk that has been moved to another position', async () => {
  const owner = await keepMelody();
  await inRaw('chunks', (chunks) => {
    const reading = chunks.get(['song.wav', 1]);
    reading.onsuccess = () => chunks.put({ ...(reading.result as object), index: 0 });
  });
  await expect(store.readChunk(owner, file.name, 0)).rejects.toThrow();
  expect(await store.readChunk(owner, file.name, 1)).toEqual(SOUND.slice(PACK_CHUNK_BYTES));
});

test('serves the stored version of a melody until the new version is complete', async () => {
  const owner = await keepMelody();
  const newer = { ...file, name: 'newer.wav', size: 3, sha256: 'def' };
  await store.update(owner, [7], [{ id: 7, version: 'two', files: [newer] }], createLease(LEASE, Date.now()));
  expect(new Uint8Array(await (await sound()).arrayBuffer())).toEqual(SOUND);
  await store.addResponse(owner, 7, 'two', { ...melody, title: 'Refuge, again' });
  await store.addChunk(owner, 7, 'two', { name: newer.name, index: 0, bytes: Uint8Array.from([1, 2, 3]) });
  expect((await sound()).status).toBe(200);
  await store.finish(owner, 7, 'two');
  expect(await counts()).toEqual({ owner: 1, entries: 1, chunks: 1 });
  const one = await requestFromWorker('/api/melodies/7', { [EXPECTED_USER_HEADER]: USER });
  expect(await one.json()).toMatchObject({ title: 'Refuge, again' });
});

/** Accesses the device's stores directly, bypassing the code under test. */
async function inRaw(name: string, work: (found: IDBObjectStore) => void): Promise<void> {
  const request = indexedDB.open('pack');
  await new Promise((resolve) => (request.onsuccess = resolve));
  const transaction = request.result.transaction(name, 'readwrite');
  work(transaction.objectStore(name));
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  request.result.close();
}

async function counts() {
  const found: Record<string, number> = {};
  for (const name of ['owner', 'entries', 'chunks'])
    await inRaw(name, (all) => {
      const counting = all.count();
      counting.onsuccess = () => (found[name] = counting.result);
    });
  return found;
}
