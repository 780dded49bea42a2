import { encodeWav } from '#web/audio/wav.ts';
import type { StoredRecording, NewStoredRecording } from '#web/audio/stored-recording.ts';
import { awaitIdbRequest, awaitIdbTransaction, createLazyIndexedDb } from '#web/device/indexed-db.ts';
import { createEventEmitter } from '#web/store.ts';
import { requestPersistentStorage } from './request-persistent-storage.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';

const NAME = 'takes';
const VERSION = 1;
const TAKES = 'takes';
/** Name of the object store for chunks. Not renamed, because databases on existing devices use this name. */
const CHUNKS = 'pieces';

/** Message that notifies other tabs of a change. `sent` is the id of a take that the server has confirmed. */
type ChangeMessage = { sent?: string };

type Chunk = { takeId: string; index: number; bytes: ArrayBuffer };

/** Failure of the device's storage. */
export class TakeStoreError extends Error {
  override readonly name = 'TakeStoreError';
  /**
   * 'full': no space is left. 'unavailable': any other failure, for example no storage in a private window.
   */
  readonly problem: 'full' | 'unavailable';

  constructor(cause: unknown) {
    const isFull = cause instanceof Error && cause.name === 'QuotaExceededError';
    super(isFull ? 'There is no room left on this device.' : 'This browser can’t store recordings.', {
      cause,
    });
    this.problem = isFull ? 'full' : 'unavailable';
  }
}

export type TakeStore = ReturnType<typeof openTakeStore>;

/**
 * Opens the store of takes on this device, in IndexedDB. Each take has a row that describes it, and its audio
 * in ordered chunks. When a promise resolves, the data is on disk (durability 'strict'). Every function throws
 * {@link TakeStoreError} if the device's storage fails.
 */
export function openTakeStore(factory: IDBFactory | undefined = globalThis.indexedDB) {
  const { database, close } = createLazyIndexedDb(() => openDatabase(factory));
  const listeners = createEventEmitter();
  // Notifies other tabs of changes.
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME);
  const sent = new Set<string>();
  const hear = (news: ChangeMessage) => {
    if (news.sent) sent.add(news.sent);
    listeners.notify();
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<ChangeMessage>) => hear(data));
  const changed = (news: ChangeMessage = {}) => {
    hear(news);
    channel?.postMessage(news);
  };

  async function write(work: (takes: IDBObjectStore, chunks: IDBObjectStore) => void): Promise<void> {
    try {
      const db = await database();
      const transaction = db.transaction([TAKES, CHUNKS], 'readwrite', { durability: 'strict' });
      work(transaction.objectStore(TAKES), transaction.objectStore(CHUNKS));
      await awaitIdbTransaction(transaction);
    } catch (error) {
      throw new TakeStoreError(error);
    }
  }

  async function read<T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    try {
      const db = await database();
      return await awaitIdbRequest(ask(db.transaction(store, 'readonly').objectStore(store)));
    } catch (error) {
      throw new TakeStoreError(error);
    }
  }

  const get = (id: string) =>
    read<StoredRecording | undefined>(
      TAKES,
      (takes) => takes.get(id) as IDBRequest<StoredRecording | undefined>,
    );

  return {
    /**
     * Calls `listener` when any user's takes change, in this tab or another.
     * @returns a function that unsubscribes
     */
    subscribe: listeners.subscribe,

    /** Notifies all subscribers, in this tab and others, that a take has been released. */
    announce: () => changed(),

    /** Creates a take without audio. `append` adds the audio. */
    async begin(take: NewStoredRecording, id: string): Promise<StoredRecording> {
      const made = { ...createRow(take, 'recording'), id };
      await write((takes) => takes.add(made));
      requestPersistentStorage();
      changed();
      return made;
    },

    /** Adds chunks of audio, numbered from 0. Overwrites existing chunks with the same number. */
    append: (id: string, chunks: readonly { index: number; bytes: ArrayBuffer }[]): Promise<void> =>
      write((_, store) => {
        for (const chunk of chunks) store.put({ takeId: id, ...chunk } satisfies Chunk);
      }),

    /** Stores a file unchanged as the audio of a new take. */
    async keepFile(
      take: NewStoredRecording,
      file: Blob,
      more: Pick<StoredRecording, 'seconds' | 'peaks'>,
      id: string = createUuid(),
    ): Promise<StoredRecording> {
      const made = { ...createRow(take, 'recorded'), ...more, id };
      const bytes = await file.arrayBuffer();
      await write((takes, chunks) => {
        takes.add(made);
        chunks.put({ takeId: made.id, index: 0, bytes } satisfies Chunk);
      });
      requestPersistentStorage();
      changed();
      return made;
    },

    /**
     * Updates a take if it still exists and meets the condition.
     * @param only the states in which the take may be changed, or a condition
     * @returns whether the take was changed
     */
    async change(
      id: string,
      part: Partial<Omit<StoredRecording, 'id' | 'userId'>>,
      only?: readonly StoredRecording['state'][] | ((take: StoredRecording) => boolean),
    ): Promise<boolean> {
      let isChanged = false;
      await write((takes) => {
        const request = takes.get(id);
        request.onsuccess = () => {
          const known = request.result as StoredRecording | undefined;
          if (!known || !matchesFilter(known, only)) return;
          isChanged = true;
          takes.put({ ...known, ...part });
        };
      });
      changed();
      return isChanged;
    },

    get,

    /** Returns a user's takes, oldest first. */
    async listOf(userId: string): Promise<StoredRecording[]> {
      const all = await read<StoredRecording[]>(
        TAKES,
        (takes) => takes.index('userId').getAll(userId) as IDBRequest<StoredRecording[]>,
      );
      return all.sort((a, b) => a.createdAt - b.createdAt);
    },

    /**
     * Returns a take's audio as one file, or null if it has none. A take that was cut off is complete up to its
     * last chunk.
     */
    async blobOf(take: StoredRecording): Promise<Blob | null> {
      const chunks = await read<Chunk[]>(
        CHUNKS,
        (store) => store.getAll(getChunkRange(take.id)) as IDBRequest<Chunk[]>,
      );
      if (chunks.length === 0) return null;
      const bytes = dropAfterGap(chunks).map((chunk) => chunk.bytes);
      if (take.origin === 'uploaded') return new Blob(bytes, { type: take.type });
      return encodeWav(bytes.map((each) => new Int16Array(each)));
    },

    /** Checks whether a take has any audio, without reading the audio. */
    hasSound: async ({ id }: StoredRecording): Promise<boolean> =>
      (await read(CHUNKS, (store) => store.count(getChunkRange(id)))) > 0,

    /** @param why 'sent' if the server has confirmed the take; 'discarded' if it is not wanted */
    async remove(id: string, why: 'sent' | 'discarded' = 'discarded'): Promise<void> {
      await write((takes, chunks) => {
        takes.delete(id);
        chunks.delete(getChunkRange(id));
      });
      changed(why === 'sent' ? { sent: id } : {});
    },

    /**
     * Returns whether a take was removed because the server has it. False if that was before this tab opened
     * the store.
     */
    wasSent: (id: string): boolean => sent.has(id),

    close() {
      channel?.close();
      listeners.clear();
      close();
    },
  };
}

const matchesFilter = (
  take: StoredRecording,
  only?: readonly StoredRecording['state'][] | ((take: StoredRecording) => boolean),
) => !only || (typeof only === 'function' ? only(take) : only.includes(take.state));

const createRow = (take: NewStoredRecording, state: StoredRecording['state']): StoredRecording => ({
  ...take,
  id: createUuid(),
  state,
  createdAt: Date.now(),
  seconds: null,
  peaks: null,
  sending: take.sending ?? null,
  mayHaveArrived: take.mayHaveArrived ?? false,
  refusal: null,
});

const getChunkRange = (id: string) => IDBKeyRange.bound([id, 0], [id, Infinity]);

/**
 * Drops audio after a gap, because it would be played too early. Writes are in order, so there should be no
 * gaps.
 */
function dropAfterGap(chunks: readonly Chunk[]) {
  const hole = chunks.findIndex((chunk, index) => chunk.index !== index);
  return hole === -1 ? chunks : chunks.slice(0, hole);
}

function openDatabase(factory: IDBFactory | undefined): Promise<IDBDatabase> {
  if (!factory) return Promise.reject(new Error('There is no IndexedDB here'));
  const request = factory.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TAKES, { keyPath: 'id' }).createIndex('userId', 'userId');
    request.result.createObjectStore(CHUNKS, { keyPath: ['takeId', 'index'] });
  };
  return awaitIdbRequest(request);
}
