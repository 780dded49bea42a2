import { wavOf } from '../audio/wav.ts';
import type { StoredRecording, NewStoredRecording } from './stored-recording.ts';
import { askToKeep } from './ask-to-keep.ts';
import { newId } from '../uploads/new-id.ts';

const NAME = 'takes';
const VERSION = 1;
const TAKES = 'takes';
/** The object store's name since before chunks were called so; devices hold recordings under it. */
const CHUNKS = 'pieces';

/** What tabs tell each other of a change. */
type News = { sent?: string };

type Chunk = { takeId: string; index: number; bytes: ArrayBuffer };

/** The device would not keep it. */
export class TakeStoreError extends Error {
  override readonly name = 'TakeStoreError';
  /** 'full': no room is left. 'unavailable': the browser offers no storage, in a private window say. */
  readonly problem: 'full' | 'unavailable';

  constructor(cause: unknown) {
    const isFull = cause instanceof Error && cause.name === 'QuotaExceededError';
    super(isFull ? 'There is no room left on this device.' : 'This browser keeps nothing.', { cause });
    this.problem = isFull ? 'full' : 'unavailable';
  }
}

export type TakeStore = ReturnType<typeof openTakeStore>;

/**
 * Recordings on this device, in IndexedDB: sound as chunks in their order, and one row that says what they are.
 * What a promise here has resolved for is on the disk, not only on its way: durability is 'strict'.
 * Every function throws {@link TakeStoreError} when the device would not.
 */
export function openTakeStore(factory: IDBFactory | undefined = globalThis.indexedDB) {
  let opening: Promise<IDBDatabase> | null = null;
  const listeners = new Set<() => void>();
  // Other tabs hear of changes as well.
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME);
  const sent = new Set<string>();
  const hear = (news: News) => {
    if (news.sent) sent.add(news.sent);
    listeners.forEach((listener) => listener());
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data));
  const changed = (news: News = {}) => {
    hear(news);
    channel?.postMessage(news);
  };

  function database(): Promise<IDBDatabase> {
    opening ??= open(factory).then(
      (db) => {
        // Closed by the browser, or by a tab with a newer version: opened anew when it is next needed.
        db.onclose = () => (opening = null);
        db.onversionchange = () => {
          db.close();
          opening = null;
        };
        return db;
      },
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  }

  async function write(work: (takes: IDBObjectStore, chunks: IDBObjectStore) => void): Promise<void> {
    try {
      const db = await database();
      const transaction = db.transaction([TAKES, CHUNKS], 'readwrite', { durability: 'strict' });
      work(transaction.objectStore(TAKES), transaction.objectStore(CHUNKS));
      await ended(transaction);
    } catch (error) {
      throw new TakeStoreError(error);
    }
  }

  async function read<T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    try {
      const db = await database();
      return await answered(ask(db.transaction(store, 'readonly').objectStore(store)));
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
    /** Called when takes of any person have changed, here or in another tab. @returns ends it */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Calls all who subscribe, here and in other tabs: a take has been let go of. */
    announce: () => changed(),

    /** Begins a take whose sound follows. */
    async begin(take: NewStoredRecording, id: string): Promise<StoredRecording> {
      const made = { ...fresh(take, 'recording'), id };
      await write((takes) => takes.add(made));
      askToKeep();
      changed();
      return made;
    },

    /** Adds sound, numbered from 0; one that is there already is written over. */
    append: (id: string, chunks: readonly { index: number; bytes: ArrayBuffer }[]): Promise<void> =>
      write((_, store) => {
        for (const chunk of chunks) store.put({ takeId: id, ...chunk } satisfies Chunk);
      }),

    /** Keeps a file as it is, under an id that the caller may hold already. */
    async keepFile(
      take: NewStoredRecording,
      file: Blob,
      more: Pick<StoredRecording, 'seconds' | 'peaks'>,
      id: string = newId(),
    ): Promise<StoredRecording> {
      const made = { ...fresh(take, 'recorded'), ...more, id };
      const bytes = await file.arrayBuffer();
      await write((takes, chunks) => {
        takes.add(made);
        chunks.put({ takeId: made.id, index: 0, bytes } satisfies Chunk);
      });
      askToKeep();
      changed();
      return made;
    },

    /**
     * Changes what is known of a take; one that is gone stays gone.
     * @param only changes it in these states alone, or when this is so of it
     * @returns whether it was there to be changed
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
          if (!known || !isMeant(known, only)) return;
          isChanged = true;
          takes.put({ ...known, ...part });
        };
      });
      changed();
      return isChanged;
    },

    get,

    /** One person's takes, oldest first. */
    async listOf(userId: string): Promise<StoredRecording[]> {
      const all = await read<StoredRecording[]>(
        TAKES,
        (takes) => takes.index('userId').getAll(userId) as IDBRequest<StoredRecording[]>,
      );
      return all.sort((a, b) => a.createdAt - b.createdAt);
    },

    /** The sound as one file; null when there is none. What was cut off is whole up to its last chunk. */
    async blobOf(take: StoredRecording): Promise<Blob | null> {
      const chunks = await read<Chunk[]>(
        CHUNKS,
        (store) => store.getAll(chunksOf(take.id)) as IDBRequest<Chunk[]>,
      );
      if (chunks.length === 0) return null;
      const bytes = withoutGap(chunks).map((chunk) => chunk.bytes);
      if (take.origin === 'uploaded') return new Blob(bytes, { type: take.type });
      return wavOf(bytes.map((each) => new Int16Array(each)));
    },

    /** @param why 'sent' when the server has confirmed it; else it is not wanted */
    async remove(id: string, why: 'sent' | 'discarded' = 'discarded'): Promise<void> {
      await write((takes, chunks) => {
        takes.delete(id);
        chunks.delete(chunksOf(id));
      });
      changed(why === 'sent' ? { sent: id } : {});
    },

    /** Whether a take that is gone went because the server has it, as far as this tab has heard. */
    wasSent: (id: string): boolean => sent.has(id),

    close() {
      channel?.close();
      listeners.clear();
      void opening?.then((db) => db.close());
      opening = null;
    },
  };
}

const isMeant = (
  take: StoredRecording,
  only?: readonly StoredRecording['state'][] | ((take: StoredRecording) => boolean),
) => !only || (typeof only === 'function' ? only(take) : only.includes(take.state));

const fresh = (take: NewStoredRecording, state: StoredRecording['state']): StoredRecording => ({
  ...take,
  id: newId(),
  state,
  createdAt: Date.now(),
  seconds: null,
  peaks: null,
  sending: take.sending ?? null,
  mayHaveArrived: false,
  refusal: null,
});

const chunksOf = (id: string) => IDBKeyRange.bound([id, 0], [id, Infinity]);

/** Sound behind a hole would be heard at the wrong moment. Writes are in order, so that there should be none. */
function withoutGap(chunks: readonly Chunk[]) {
  const hole = chunks.findIndex((chunk, index) => chunk.index !== index);
  return hole === -1 ? chunks : chunks.slice(0, hole);
}

function open(factory: IDBFactory | undefined): Promise<IDBDatabase> {
  if (!factory) return Promise.reject(new Error('There is no IndexedDB here'));
  const request = factory.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TAKES, { keyPath: 'id' }).createIndex('userId', 'userId');
    request.result.createObjectStore(CHUNKS, { keyPath: ['takeId', 'index'] });
  };
  return answered(request);
}

const answered = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The device’s storage failed'));
  });

const ended = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The device’s storage failed'));
  });
