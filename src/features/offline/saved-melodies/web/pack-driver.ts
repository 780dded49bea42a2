import { CallError } from '#web/api/call.ts';
import { LIVE } from '#shared/live.ts';
import { noteKeptSounds } from '#web/audio/sound-choice.ts';
import { createScope } from '#web/api/scope.ts';
import { lastAnswerIsFromDevice } from '#web/offline/from-device.ts';
import { refresh } from '#web/api/query-client.ts';
import { askToKeep } from '#features/recordings/web/takes/ask-to-keep.ts';
import { aloneAt } from '#features/recordings/web/takes/take-locks.ts';
import { createRetrySchedule } from '#web/uploads/retry-schedule.ts';
import { backOrAfter } from '#web/uploads/when-back.ts';
import { checkPack } from './check-pack.ts';
import { fetchEntry } from './fetch-entry.ts';
import { lastsUntil } from './lease.ts';
import { announcePack, packChannel } from './pack-news.ts';
import { CHUNK_BYTES, type Entry, type EntryId, isFull, openPackStore } from './pack-store.ts';
import { type EntryState, NO_PACK, type PackWork, type Room, setPackState } from './pack-state.ts';

/** Interval between state updates while fetching. */
const STATE_EVERY_MS = 250;
/** Interval between checks whether the server is back. */
const TRY_EVERY_MS = 10_000;

/**
 * Keeps the page's state of the pack up to date, and fetches what the pack lacks, in one tab at a time. The service
 * worker serves from the pack.
 * @returns a function that stops it
 */
export function startPack(userId: string): () => void {
  const store = openPackStore();
  const scope = createScope();
  const ending = new AbortController();
  const { signal } = ending;
  scope.own(() => setPackState(NO_PACK));
  scope.own(() => noteKeptSounds(new Map()));
  scope.own(() => ending.abort());
  let work: PackWork = 'idle';
  let isWorking = false;
  let isDue = false;

  const actions = {
    keep(ids: readonly EntryId[]) {
      askToKeep();
      void change(async () => {
        await store.begin(userId);
        await store.want(ids);
      });
    },
    remove: (ids: readonly EntryId[]) => void change(() => store.remove(ids)),
  };

  /** Applies a user's change. Retries even if the device was full before. */
  async function change(act: () => Promise<unknown>) {
    work = 'idle';
    try {
      await act();
      announcePack();
    } catch (error) {
      if (isFull(error)) work = { full: await room(0) };
    }
    await showState();
    void fetchAll();
  }

  async function theirs() {
    const owner = await store.owner();
    return owner?.userId === userId ? owner : null;
  }

  async function showState() {
    const owner = await theirs().catch(() => null);
    const entries = owner ? await store.entries().catch(() => []) : [];
    if (scope.ended) return;
    noteKeptSounds(
      new Map(entries.flatMap(({ kept }) => kept?.files ?? []).map(({ name, copy }) => [name, copy ?? null])),
    );
    setPackState({
      actions,
      entries: new Map(entries.map((entry) => [entry.id, stateOf(entry)])),
      until: owner?.lease && entries.length > 0 ? new Date(lastsUntil(owner.lease, Date.now())) : null,
      work,
    });
  }

  function showStateSoon() {
    if (isDue) return;
    isDue = true;
    scope.after(STATE_EVERY_MS, () => {
      isDue = false;
      void showState();
    });
  }

  async function fetchAll(): Promise<void> {
    if (isWorking || typeof work === 'object' || scope.ended || !(await hasWork())) return;
    if (isWorking) return;
    isWorking = true;
    try {
      await aloneAt('pack', signal, fetchInTurn);
    } catch {
      // The page is closing, or the device's storage failed. The next page continues.
    } finally {
      isWorking = false;
      if (typeof work !== 'object') work = 'idle';
      await showState();
    }
  }

  const hasWork = async () => (await theirs()) !== null && (await store.entries()).some(lacksSomething);

  async function fetchInTurn(): Promise<void> {
    const schedule = createRetrySchedule();
    while (!signal.aborted && (await hasWork())) {
      let isAnswered = false;
      let failure: unknown = null;
      try {
        const checked = await checkPack(store);
        announcePack();
        if (checked === 'gone') return;
        isAnswered = checked === 'checked';
        const entries = (await store.entries()).filter(lacksSomething);
        const needed = entries.reduce((sum, entry) => sum + bytesLacking(entry), 0);
        const owner = await theirs();
        if (!owner || entries.length === 0) return;
        if (isAnswered) {
          const found = await room(needed);
          if (found.free !== null) {
            work = { full: found };
            return;
          }
          work = 'fetching';
          const onProgress = () => {
            schedule.reset();
            showStateSoon();
          };
          failure = await fetchEach(entries, async (entry) => {
            await fetchEntry(store, owner, entry, { signal, onProgress });
            // Announces each entry as soon as it is complete, because the page may be closed before the others are.
            announcePack();
            await showState();
          });
          if (failure === null) continue;
        }
      } catch (error) {
        failure = error;
        if (isFull(error)) {
          const lacking = (await store.entries()).reduce((sum, entry) => sum + bytesLacking(entry), 0);
          work = { full: await room(lacking) };
          return;
        }
      }
      if (signal.aborted) return;
      work = 'waiting';
      await showState();
      await backOrAfter(schedule.after(failure, isAnswered), signal);
    }
  }

  /**
   * Whether it is polling for the server while responses come from the device. Once the server is back, all queries are
   * refreshed.
   */
  let isLooking = false;
  async function lookForServer() {
    if (isLooking) return;
    isLooking = true;
    try {
      while (lastAnswerIsFromDevice.get() && !signal.aborted) {
        await backOrAfter(TRY_EVERY_MS, signal);
        const answer = await fetch('/api/health', { cache: 'no-store', signal }).catch(() => null);
        if (!answer?.ok) continue;
        refresh(LIVE);
        void fetchAll();
        return;
      }
    } catch {
      // The page is closing.
    } finally {
      isLooking = false;
    }
  }

  scope.listen(packChannel(), 'message', () => {
    showStateSoon();
    void fetchAll();
  });
  scope.own(lastAnswerIsFromDevice.subscribe(() => void lookForServer()));
  void lookForServer();
  void showState().then(fetchAll);
  return () => scope.end();
}

/**
 * Fetches entries in turn. An entry that the server refuses does not block the others.
 * @returns the last failure, or null if there was none
 */
async function fetchEach(entries: readonly Entry[], fetchOne: (entry: Entry) => Promise<void>) {
  let failure: unknown = null;
  for (const entry of entries) {
    try {
      await fetchOne(entry);
    } catch (error) {
      if (!(error instanceof CallError) || error.status === 0) throw error;
      failure = error;
    }
  }
  return failure;
}

const lacksSomething = ({ kept, next }: Entry) => kept === null || next !== null;

const sizeOf = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0);

/** Returns the number of bytes of the next edition that are missing. */
function bytesLacking({ kept, next }: Entry): number {
  if (!next) return 0;
  const here = new Set(kept?.files.map(({ name }) => name));
  return next.files
    .filter(({ name }) => !here.has(name))
    .reduce((sum, { name, size }) => sum + Math.max(0, size - (next.chunks[name] ?? 0) * CHUNK_BYTES), 0);
}

function stateOf(entry: Entry): EntryState {
  const { kept, next } = entry;
  const isKept = kept !== null;
  const bytes = sizeOf(kept?.files ?? []);
  if (!next) return { isKept, bytes, fraction: isKept ? null : 0 };
  const size = sizeOf(next.files);
  return { isKept, bytes, fraction: size === 0 ? 0 : 1 - bytesLacking(entry) / size };
}

/**
 * Returns the bytes needed, and the free bytes if they are known to be too few. `free` is null if the browser gives no
 * quota or claims enough space. Chrome overstates the quota to prevent fingerprinting.
 */
async function room(needed: number): Promise<Room> {
  const storage = navigator.storage as Partial<StorageManager> | undefined;
  const { quota, usage = 0 } = (await storage?.estimate?.().catch(() => null)) ?? {};
  const free = quota === undefined ? null : Math.max(0, quota - usage);
  return { needed, free: free !== null && free < needed ? free : null };
}
