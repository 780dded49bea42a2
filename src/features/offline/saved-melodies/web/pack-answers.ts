import { type ByteRange, parseByteRange } from '#shared/byte-range.ts';
import { FROM_DEVICE_HEADER } from '#web/offline/from-device.ts';
import type { Level } from '#features/people/levels/contract.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { listedMelodyOf } from '#features/melodies/listed-melody.ts';
import { soundAddress } from '#web/audio/sound-address.ts';
import type { PackFile } from '../contract.ts';
import { CHUNK_BYTES, type Entry, type Owner, type PackStore } from './pack-store.ts';

// Responses from the pack in place of the server. Null means that the pack can't respond.

/** Returns the bytes of a file, whole or by `Range`, with the same headers as the server. */
export function fileAnswer(
  store: PackStore,
  owner: Owner,
  { name, contentType, size, sha256 }: PackFile,
  request: Request,
): Response {
  const etag = `"${sha256}"`;
  const headers = new Headers({ 'content-type': contentType, etag, 'accept-ranges': 'bytes' });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  const condition = request.headers.get('if-range');
  const wanted = condition !== null && condition !== etag ? null : request.headers.get('range');
  const range = parseByteRange(wanted ?? undefined, size);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const part = range === 'whole' ? { start: 0, end: size - 1 } : range;
  headers.set('content-length', String(part.end - part.start + 1));
  if (range !== 'whole') headers.set('content-range', `bytes ${part.start}-${part.end}/${size}`);
  return new Response(bytesOf(store, owner, name, part), { status: range === 'whole' ? 200 : 206, headers });
}

/** Streams a file chunk by chunk on demand. Deleting the file ends the stream with an error. */
function bytesOf(store: PackStore, owner: Owner, name: string, { start, end }: ByteRange) {
  let at = start;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const index = Math.floor(at / CHUNK_BYTES);
      const from = index * CHUNK_BYTES;
      const bytes = (await store.chunk(owner, name, index)).subarray(at - from, end + 1 - from);
      at += bytes.length;
      controller.enqueue(bytes);
      if (at > end) controller.close();
    },
  });
}

export const OWN_RECORDINGS = '/api/student/recordings';
export const OWN_FEEDBACK = '/api/feedback';

/** The first page of a student's own recordings, and of the feedback on them. */
export type OwnAnswer = { recordings: unknown; feedback: unknown };

const MELODY = /^\/api\/melodies\/(\d{1,9})$/;

/** Returns lists and melodies as far as they are in the pack. */
export async function jsonAnswer(
  store: PackStore,
  owner: Owner,
  { pathname, searchParams }: URL,
): Promise<Response | null> {
  const all = (await store.entries()).filter(({ kept }) => kept !== null);
  if (pathname === OWN_RECORDINGS || pathname === OWN_FEEDBACK) {
    const own = all.find(({ id }) => id === 'own');
    if (!own) return null;
    const { recordings, feedback } = (await store.answer(owner, own)) as OwnAnswer;
    const files = own.kept?.files ?? [];
    return json(asKept(pathname === OWN_RECORDINGS ? recordings : feedback, files));
  }
  const entries = all.filter(({ id }) => id !== 'own');
  const detail = async (entry: Entry) =>
    asKept((await store.answer(owner, entry)) as MelodyDetail, entry.kept?.files ?? []);
  const id = MELODY.exec(pathname)?.[1];
  if (id !== undefined) {
    const entry = entries.find((each) => each.id === Number(id));
    return entry ? json(await detail(entry)) : null;
  }
  // A text search needs the server, so the page handles its failure.
  if (searchParams.has('q') || searchParams.has('transmissionLevelId')) return null;
  const melodies = (await Promise.all(entries.map(detail))).sort(newestFirst);
  if (pathname === '/api/user/transmission-levels') return json(levelsOf(melodies));
  if (pathname !== '/api/melodies') return null;
  return json(searchParams.get('view') === 'card' ? melodies.map(listedMelodyOf) : melodies);
}

/** Replaces the address of each audio file in a response with that of its stored copy. */
function asKept<T>(answer: T, files: readonly PackFile[]): T {
  const copies = new Map(files.flatMap(({ name, copy }) => (copy ? [[name, copy]] : [])));
  if (copies.size === 0) return answer;
  const put = (key: string, value: unknown) => {
    const copy = /^audio(Feedback)?Url$/.test(key) && copies.get(value as string);
    return copy ? soundAddress(value as string, copy) : value;
  };
  return JSON.parse(JSON.stringify(answer, put)) as T;
}

const newestFirst = (a: MelodyDetail, b: MelodyDetail) =>
  b.createdAt.localeCompare(a.createdAt) || b.id - a.id;

function levelsOf(melodies: readonly MelodyDetail[]): Level[] {
  const levels = new Map(melodies.map(({ transmissionLevel }) => [transmissionLevel.id, transmissionLevel]));
  return [...levels.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name }) => ({ id, name, description: null, neverKept: false }));
}

const json = (body: unknown) =>
  new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/json; charset=utf-8', [FROM_DEVICE_HEADER]: 'yes' },
  });
