import { type ByteRange, parseByteRange } from '#shared/byte-range.ts';
import { FROM_DEVICE_HEADER } from '#web/offline/from-device.ts';
import type { Level } from '#features/people/levels/contract.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { toListedMelody } from '#features/melodies/listed-melody.ts';
import { buildSoundUrl } from '#web/audio/sound-url.ts';
import type { PackFile } from '../contract.ts';
import { PACK_CHUNK_BYTES, type PackEntry, type PackOwner, type PackStore } from './pack-store.ts';

// Creates responses from the pack in place of the server's responses. Null means that the pack can't respond.

/** Responds with a file as the server would: with its bytes, whole or by `Range`, or with 304 or 416. */
export function createPackFileResponse(
  store: PackStore,
  owner: PackOwner,
  { name, contentType, size, sha256 }: PackFile,
  request: Request,
): Response {
  const etag = `"${sha256}"`;
  const headers = new Headers({ 'content-type': contentType, etag, 'accept-ranges': 'bytes' });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  const condition = request.headers.get('if-range');
  const requestedRange = condition !== null && condition !== etag ? null : request.headers.get('range');
  const range = parseByteRange(requestedRange ?? undefined, size);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const part = range === 'whole' ? { start: 0, end: size - 1 } : range;
  headers.set('content-length', String(part.end - part.start + 1));
  if (range !== 'whole') headers.set('content-range', `bytes ${part.start}-${part.end}/${size}`);
  return new Response(streamFile(store, owner, name, part), {
    status: range === 'whole' ? 200 : 206,
    headers,
  });
}

/** Streams a file chunk by chunk on demand. Deleting the file ends the stream with an error. */
function streamFile(store: PackStore, owner: PackOwner, name: string, { start, end }: ByteRange) {
  let at = start;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const index = Math.floor(at / PACK_CHUNK_BYTES);
      const from = index * PACK_CHUNK_BYTES;
      const bytes = (await store.readChunk(owner, name, index)).subarray(at - from, end + 1 - from);
      at += bytes.length;
      controller.enqueue(bytes);
      if (at > end) controller.close();
    },
  });
}

export const OWN_RECORDINGS_PATH = '/api/student/recordings';
export const OWN_FEEDBACK_PATH = '/api/feedback';

/** The first page of a student's own recordings, and of the feedback on them. */
export type OwnResponses = { recordings: unknown; feedback: unknown };

const MELODY_PATH = /^\/api\/melodies\/(\d{1,9})$/;

/** Returns the requested list or melody; null if the pack does not contain it. */
export async function createPackJsonResponse(
  store: PackStore,
  owner: PackOwner,
  { pathname, searchParams }: URL,
): Promise<Response | null> {
  const all = (await store.listEntries()).filter(({ kept }) => kept !== null);
  if (pathname === OWN_RECORDINGS_PATH || pathname === OWN_FEEDBACK_PATH) {
    const own = all.find(({ id }) => id === 'own');
    if (!own) return null;
    const { recordings, feedback } = (await store.readResponse(owner, own)) as OwnResponses;
    const files = own.kept?.files ?? [];
    return toJsonResponse(replaceWithCopies(pathname === OWN_RECORDINGS_PATH ? recordings : feedback, files));
  }
  const entries = all.filter(({ id }) => id !== 'own');
  const detail = async (entry: PackEntry) =>
    replaceWithCopies((await store.readResponse(owner, entry)) as MelodyDetail, entry.kept?.files ?? []);
  const id = MELODY_PATH.exec(pathname)?.[1];
  if (id !== undefined) {
    const entry = entries.find((each) => each.id === Number(id));
    return entry ? toJsonResponse(await detail(entry)) : null;
  }
  // Searching and filtering need the server. Without a response from the pack, the page shows that the
  // request failed.
  if (searchParams.has('q') || searchParams.has('transmissionLevelId')) return null;
  const melodies = (await Promise.all(entries.map(detail))).sort(compareNewestFirst);
  if (pathname === '/api/user/transmission-levels') return toJsonResponse(listLevels(melodies));
  if (pathname !== '/api/melodies') return null;
  return toJsonResponse(searchParams.get('view') === 'card' ? melodies.map(toListedMelody) : melodies);
}

/** Replaces the URL of each audio file in a response with the URL of its stored copy. */
function replaceWithCopies<T>(answer: T, files: readonly PackFile[]): T {
  const copies = new Map(files.flatMap(({ name, copy }) => (copy ? [[name, copy]] : [])));
  if (copies.size === 0) return answer;
  const put = (key: string, value: unknown) => {
    const copy = /^audio(Feedback)?Url$/.test(key) && copies.get(value as string);
    return copy ? buildSoundUrl(value as string, copy) : value;
  };
  return JSON.parse(JSON.stringify(answer, put)) as T;
}

const compareNewestFirst = (a: MelodyDetail, b: MelodyDetail) =>
  b.createdAt.localeCompare(a.createdAt) || b.id - a.id;

function listLevels(melodies: readonly MelodyDetail[]): Level[] {
  const levels = new Map(melodies.map(({ transmissionLevel }) => [transmissionLevel.id, transmissionLevel]));
  return [...levels.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name }) => ({ id, name, description: null, neverKept: false }));
}

const toJsonResponse = (body: unknown) =>
  new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/json; charset=utf-8', [FROM_DEVICE_HEADER]: 'yes' },
  });
