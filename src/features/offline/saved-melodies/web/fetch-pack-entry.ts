import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import { CallError, createNoConnectionError } from '#web/api/call.ts';
import type { PackFile } from '../contract.ts';
import { OWN_FEEDBACK_PATH, OWN_RECORDINGS_PATH, type OwnResponses } from './pack-responses.ts';
import { PACK_CHUNK_BYTES, type PackEntry, type PackOwner, type PackStore } from './pack-store.ts';

/** A connection that delivers nothing for this long counts as lost. */
const STALL_TIMEOUT_MS = 30_000;

type Options = {
  signal: AbortSignal;
  /** Called after more data has been stored. */
  onProgress(): void;
};

/**
 * Fetches the missing parts of an entry, resuming an interrupted download, and finishes the entry once every
 * file matches its hash. Stops if the entry is no longer wanted.
 * @throws {CallError} if the server returns an error or the connection is lost; or an error from the device's
 * storage
 */
export async function fetchPackEntry(
  store: PackStore,
  owner: PackOwner,
  { id, kept, next }: PackEntry,
  options: Options,
): Promise<void> {
  if (!next) return;
  const { version, files } = next;
  const ask = createRequester(owner, options.signal);
  if (!next.answer) {
    const json = async (address: string): Promise<unknown> => {
      const { response, stop } = await ask(`${address}?keep=yes`);
      return response.json().finally(stop);
    };
    const own = async (): Promise<OwnResponses> => ({
      recordings: await json(OWN_RECORDINGS_PATH),
      feedback: await json(OWN_FEEDBACK_PATH),
    });
    const answer = id === 'own' ? await own() : await json(`/api/melodies/${id}`);
    if (!(await store.addResponse(owner, id, version, answer))) return;
  }
  const storedNames = new Set(kept?.files.map(({ name }) => name));
  for (const file of files.filter(({ name }) => !storedNames.has(name)))
    if (!(await fetchFile(file, next.chunks[file.name] ?? 0))) return;
  await store.finish(owner, id, version);

  /** @returns false if the file is no longer wanted */
  async function fetchFile(file: PackFile, chunks: number): Promise<boolean> {
    const { name, type, copy, size, sha256 } = file;
    let index = chunks;
    if (index * PACK_CHUNK_BYTES < size) {
      const from = index * PACK_CHUNK_BYTES;
      const etag = `"${sha256}"`;
      const { response, resetTimer, stop } = await ask(
        `/api/files/${encodeURIComponent(name)}?type=${type}${copy ? `&copy=${copy}` : ''}&keep=yes`,
        from > 0 ? { range: `bytes=${from}-`, 'if-range': etag } : {},
      );
      try {
        const isWhatFollows = response.status === (from > 0 ? 206 : 200);
        if (!isWhatFollows || response.headers.get('etag') !== etag || !response.body)
          return await discardFile(name);
        for await (const bytes of readChunks(response.body, size - from, resetTimer)) {
          if (!(await store.addChunk(owner, id, version, { name, index, bytes }))) return false;
          index += 1;
          options.onProgress();
        }
      } finally {
        stop();
      }
      if (index * PACK_CHUNK_BYTES < size) throw createNoConnectionError();
    }
    return (await hashOf(file)) === sha256 || discardFile(name);
  }

  /** Deletes a file that differs from what the server announced, and throws, so that it is fetched again. */
  async function discardFile(name: string): Promise<never> {
    await store.dropFile(owner, id, version, name);
    throw createNoConnectionError();
  }

  async function hashOf({ name, size }: PackFile): Promise<string> {
    const whole = new Uint8Array(size);
    for (let at = 0; at < size; at += PACK_CHUNK_BYTES) {
      const bytes = await store.readChunk(owner, name, at / PACK_CHUNK_BYTES);
      if (at + bytes.length > size) return '';
      whole.set(bytes, at);
    }
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

/**
 * Returns a function that fetches from the server. It throws if the server returns an error, for example
 * because another user is signed in. URLs must contain `keep` to bypass the pack.
 */
function createRequester({ userId }: PackOwner, signal: AbortSignal) {
  return async (address: string, headers: Record<string, string> = {}) => {
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener('abort', end);
    let timer = setTimeout(end, STALL_TIMEOUT_MS);
    const resetTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(end, STALL_TIMEOUT_MS);
    };
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      ending.abort();
    };
    try {
      const response = await fetch(address, {
        headers: { ...headers, [EXPECTED_USER_HEADER]: userId },
        cache: 'no-store',
        signal: ending.signal,
      });
      if (!response.ok) throw new CallError(response.status, await response.text());
      return { response, resetTimer, stop };
    } catch (error) {
      stop();
      if (error instanceof CallError) throw error;
      throw createNoConnectionError();
    }
  };
}

/**
 * Yields chunks of {@link PACK_CHUNK_BYTES}; the last one may be shorter. If the stream breaks off, an
 * incomplete chunk is lost.
 */
async function* readChunks(body: ReadableStream<Uint8Array>, size: number, resetTimer: () => void) {
  const reader = body.getReader();
  let left = size;
  let chunk = new Uint8Array(Math.min(PACK_CHUNK_BYTES, left));
  let filled = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || !value) return;
    resetTimer();
    for (let at = 0; at < value.length && left > 0;) {
      const part = value.subarray(at, at + chunk.length - filled);
      chunk.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < chunk.length) continue;
      left -= filled;
      yield chunk;
      chunk = new Uint8Array(Math.min(PACK_CHUNK_BYTES, left));
      filled = 0;
    }
  }
}
