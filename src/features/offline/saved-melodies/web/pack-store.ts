import { awaitIdbRequest, awaitIdbTransaction, createLazyIndexedDb } from '#web/device/indexed-db.ts';
import type { PackFile } from '../contract.ts';
import { isLeaseExpired, type Lease } from './lease.ts';
import {
  generatePackKey,
  encryptPackBytes,
  type EncryptedBytes,
  decryptPackBytes,
} from './encrypt-pack-bytes.ts';

// A pack is what a user stores on this device for offline use. Each browser has at most one, which belongs to
// one user. Pages fill it, and the service worker reads it.

const DATABASE_NAME = 'pack';
const OWNER = 'owner';
const ENTRIES = 'entries';
const CHUNKS = 'chunks';

/** Size of the chunks in which files are encrypted and stored, in bytes. */
export const PACK_CHUNK_BYTES = 128 * 1024;

/** Interval at which the device's time is recorded while the pack is in use. */
const CLOCK_RECORD_INTERVAL_MS = 60_000;

export type PackOwner = {
  userId: string;
  /**
   * Unique per pack, so that downloads started for an earlier pack of the same user are not added to this one.
   */
  packId: string;
  key: CryptoKey;
  /** Null until the server's first response. Until then, nothing can be read. */
  lease: Lease | null;
};

/** A stored version of an entry, with the server's response that describes it. */
type Edition = { version: string; files: PackFile[]; answer: EncryptedBytes };

/** A version that is being fetched, with the number of stored chunks per file. */
export type PendingEntryVersion = Omit<Edition, 'answer'> & {
  answer: EncryptedBytes | null;
  chunks: Record<string, number>;
};

/** The id of a melody; 'own' for the student's own recordings and feedback. */
export type PackEntryId = number | 'own';

/**
 * `kept` is complete and usable; `next` is being fetched to replace it. If both are null, the entry has only
 * been requested.
 */
export type PackEntry = { id: PackEntryId; kept: Edition | null; next: PendingEntryVersion | null };

type Chunk = EncryptedBytes & { name: string; index: number };

export type PackStore = ReturnType<typeof openPackStore>;

export const isQuotaExceededError = (error: unknown) =>
  error instanceof Error && error.name === 'QuotaExceededError';

/** @param clock returns the device's time, in milliseconds */
export function openPackStore(clock: () => number = Date.now) {
  const { database } = createLazyIndexedDb(openDatabase);

  /** Runs `work` in one transaction over all stores. If it throws, the transaction is rolled back. */
  async function write<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    const db = await database();
    const transaction = db.transaction([OWNER, ENTRIES, CHUNKS], 'readwrite', { durability: 'strict' });
    const done = awaitIdbTransaction(transaction);
    try {
      const result = await work(getStores(transaction));
      await done;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // The transaction has already ended.
      }
      await done.catch(() => undefined);
      throw transaction.error ?? error;
    }
  }

  async function read<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    const db = await database();
    return work(getStores(db.transaction([OWNER, ENTRIES, CHUNKS], 'readonly')));
  }

  const storedOwner = () => read(getOwner);

  /**
   * Deletes everything. Deletes the key first, in its own transaction: without it, whatever an interrupted
   * deletion leaves behind is unreadable.
   */
  async function shred(): Promise<void> {
    await write(({ owner }) => awaitIdbRequest(owner.clear()));
    await write(async ({ entries, chunks }) => {
      await awaitIdbRequest(entries.clear());
      await awaitIdbRequest(chunks.clear());
    });
  }

  /**
   * Returns the owner of the pack, or null if there is no usable pack. Deletes a pack whose lease has ended,
   * and otherwise records the device's time in the lease, at most once a minute.
   */
  async function owner(): Promise<PackOwner | null> {
    const found = await storedOwner();
    const now = clock();
    if (!found) {
      // Deletes chunks without an owner, which remain if an earlier deletion was interrupted.
      if ((await read(({ chunks }) => awaitIdbRequest(chunks.count()))) > 0) await shred();
      return null;
    }
    if (found.lease && isLeaseExpired(found.lease, now)) {
      await shred();
      return null;
    }
    if (found.lease && now > found.lease.latest + CLOCK_RECORD_INTERVAL_MS)
      await changeOwner(found.packId, (before) =>
        before.lease ? { ...before, lease: { ...before.lease, latest: now } } : before,
      );
    return found;
  }

  const changeOwner = (packId: string, change: (before: PackOwner) => PackOwner) =>
    write(async (stores) => {
      const before = await getOwner(stores);
      if (before?.packId === packId) await awaitIdbRequest(stores.owner.put(change(before), OWNER));
    });

  /**
   * Returns the entry and the version being fetched; null if this version is no longer being fetched, or if
   * the pack has been replaced.
   */
  async function findNext(stores: Stores, packId: string, id: PackEntryId, version: string) {
    const found = await getOwner(stores);
    const entry = await getEntry(stores, id);
    return found?.packId === packId && entry?.next?.version === version ? { entry, next: entry.next } : null;
  }

  return {
    findOwner: owner,
    shred,

    /** Returns the user's pack, and creates it if there is none. Deletes another user's pack. */
    async ensureOwner(userId: string): Promise<PackOwner> {
      const found = await owner();
      if (found?.userId === userId) return found;
      await shred();
      const made: PackOwner = {
        userId,
        packId: crypto.randomUUID(),
        key: await generatePackKey(),
        lease: null,
      };
      return write(async (stores) => {
        // Another tab may have created the pack in the meantime.
        const other = await getOwner(stores);
        if (other?.userId === userId) return other;
        await awaitIdbRequest(stores.owner.put(made, OWNER));
        return made;
      });
    },

    listEntries: () => read(({ entries }) => awaitIdbRequest(entries.getAll() as IDBRequest<PackEntry[]>)),

    request: (ids: readonly PackEntryId[]) =>
      write(async (stores) => {
        for (const id of ids)
          if (!(await getEntry(stores, id)))
            await awaitIdbRequest(stores.entries.put({ id, kept: null, next: null } satisfies PackEntry));
      }),

    remove: (ids: readonly PackEntryId[]) => write((stores) => removeEntries(stores, ids)),

    /**
     * Applies the server's response about `requestedIds` in one transaction: deletes those that are not in
     * `allowed`, queues new versions for download, and renews the lease.
     */
    update: (
      { packId }: PackOwner,
      requestedIds: readonly PackEntryId[],
      allowed: readonly { id: PackEntryId; version: string; files: PackFile[] }[],
      lease: Lease,
    ) =>
      write(async (stores) => {
        const before = await getOwner(stores);
        if (before?.packId !== packId) return;
        await awaitIdbRequest(stores.owner.put({ ...before, lease }, OWNER));
        const byId = new Map(allowed.map((each) => [each.id, each]));
        await removeEntries(
          stores,
          requestedIds.filter((id) => !byId.has(id)),
        );
        for (const { id, version, files } of allowed) {
          const entry = await getEntry(stores, id);
          if (!entry) continue;
          const { kept, next: before } = entry;
          // Keeps stored audio files as they are, even if smaller copies exist by now.
          const wanted = files.map((file) => kept?.files.find(({ name }) => name === file.name) ?? file);
          if (before ? before.version === version && isSame(before.files, wanted) : kept?.version === version)
            continue;
          const next =
            kept?.version === version ? null : { version, files: wanted, answer: null, chunks: {} };
          await awaitIdbRequest(stores.entries.put({ ...entry, next } satisfies PackEntry));
          await dropChunks(stores, entry.next, entry.kept);
        }
      }),

    /**
     * Adds the server's response that describes the version being fetched.
     * @returns false if that version is no longer wanted
     */
    async addResponse(
      { packId, key }: PackOwner,
      id: PackEntryId,
      version: string,
      answer: unknown,
    ): Promise<boolean> {
      const bytes = new TextEncoder().encode(JSON.stringify(answer));
      const sealed = await encryptPackBytes(key, getResponseLabel(id), bytes);
      return write(async (stores) => {
        const found = await findNext(stores, packId, id, version);
        if (!found) return false;
        const { entry, next } = found;
        await awaitIdbRequest(
          stores.entries.put({ ...entry, next: { ...next, answer: sealed } } satisfies PackEntry),
        );
        return true;
      });
    },

    /**
     * Adds the next chunk of a file.
     * @returns false if the version is no longer wanted, or if this is not the next chunk
     */
    async addChunk(
      { packId, key }: PackOwner,
      id: PackEntryId,
      version: string,
      { name, index, bytes }: { name: string; index: number; bytes: Uint8Array<ArrayBuffer> },
    ): Promise<boolean> {
      const sealed = await encryptPackBytes(key, getChunkLabel(name, index), bytes);
      return write(async (stores) => {
        const found = await findNext(stores, packId, id, version);
        if (!found || (found.next.chunks[name] ?? 0) !== index) return false;
        const { entry, next } = found;
        await awaitIdbRequest(stores.chunks.put({ ...sealed, name, index } satisfies Chunk));
        const chunks = { ...next.chunks, [name]: index + 1 };
        await awaitIdbRequest(
          stores.entries.put({ ...entry, next: { ...next, chunks } } satisfies PackEntry),
        );
        return true;
      });
    },

    /** Deletes the chunks of a file in the version being fetched. */
    dropFile: ({ packId }: PackOwner, id: PackEntryId, version: string, name: string) =>
      write(async (stores) => {
        const found = await findNext(stores, packId, id, version);
        if (!found) return;
        const { entry, next } = found;
        const chunks = { ...next.chunks, [name]: 0 };
        await awaitIdbRequest(
          stores.entries.put({ ...entry, next: { ...next, chunks } } satisfies PackEntry),
        );
        await awaitIdbRequest(stores.chunks.delete(getChunkRange(name)));
      }),

    /**
     * Replaces the stored version with the fetched one. The caller has verified the hashes of the files.
     */
    finish: ({ packId }: PackOwner, id: PackEntryId, version: string) =>
      write(async (stores) => {
        const found = await findNext(stores, packId, id, version);
        const answer = found?.next.answer;
        if (!found || !answer) return;
        const { entry, next } = found;
        const kept = { version, files: next.files, answer };
        await awaitIdbRequest(stores.entries.put({ id, kept, next: null } satisfies PackEntry));
        await dropChunks(stores, entry.kept, next);
      }),

    /** Returns the server's response that is stored with an entry; null if the entry is not complete yet. */
    readResponse: async ({ key }: PackOwner, { id, kept }: PackEntry): Promise<unknown> =>
      kept &&
      JSON.parse(new TextDecoder().decode(await decryptPackBytes(key, getResponseLabel(id), kept.answer))),

    /**
     * Returns a chunk of a file.
     * @throws if the chunk is no longer stored, or has been changed or moved
     */
    async readChunk(
      { key, packId }: PackOwner,
      name: string,
      index: number,
    ): Promise<Uint8Array<ArrayBuffer>> {
      const [found, now] = await read((stores) =>
        Promise.all([
          awaitIdbRequest(stores.chunks.get([name, index]) as IDBRequest<Chunk | undefined>),
          getOwner(stores),
        ]),
      );
      if (!found || now?.packId !== packId) throw new Error('No longer kept');
      return decryptPackBytes(key, getChunkLabel(name, index), found);
    },
  };
}

type Stores = { owner: IDBObjectStore; entries: IDBObjectStore; chunks: IDBObjectStore };

const getStores = (transaction: IDBTransaction): Stores => ({
  owner: transaction.objectStore(OWNER),
  entries: transaction.objectStore(ENTRIES),
  chunks: transaction.objectStore(CHUNKS),
});

const getOwner = ({ owner }: Stores) =>
  awaitIdbRequest(owner.get(OWNER) as IDBRequest<PackOwner | undefined>);
const getEntry = ({ entries }: Stores, id: PackEntryId) =>
  awaitIdbRequest(entries.get(id) as IDBRequest<PackEntry | undefined>);

const getResponseLabel = (id: PackEntryId) => `answer ${id}`;
const getChunkLabel = (name: string, index: number) => `chunk ${name} ${index}`;
const getChunkRange = (name: string) => IDBKeyRange.bound([name, 0], [name, Infinity]);

async function removeEntries(stores: Stores, ids: readonly PackEntryId[]): Promise<void> {
  for (const id of ids) {
    const entry = await getEntry(stores, id);
    if (!entry) continue;
    await awaitIdbRequest(stores.entries.delete(id));
    await dropChunks(stores, entry.kept, null);
    await dropChunks(stores, entry.next, null);
  }
}

type WithFiles = { files: PackFile[] } | null;

const isSame = (some: readonly PackFile[], others: readonly PackFile[]) =>
  some.map(({ sha256 }) => sha256).join() === others.map(({ sha256 }) => sha256).join();

/** Deletes the chunks of files that are in `old` but not in `staying`. */
async function dropChunks({ chunks }: Stores, old: WithFiles, staying: WithFiles): Promise<void> {
  const stay = new Set(staying?.files.map(({ name }) => name));
  for (const { name } of old?.files ?? [])
    if (!stay.has(name)) await awaitIdbRequest(chunks.delete(getChunkRange(name)));
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE_NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(OWNER);
    request.result.createObjectStore(ENTRIES, { keyPath: 'id' });
    request.result.createObjectStore(CHUNKS, { keyPath: ['name', 'index'] });
  };
  return awaitIdbRequest(request);
}
