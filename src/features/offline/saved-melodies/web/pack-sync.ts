import { CallError } from '#web/api/call.ts';
import { LIVE_PATHS } from '#shared/live.ts';
import { setDeviceSounds } from '#web/audio/sound-choice.ts';
import { createResourceScope } from '#web/api/resource-scope.ts';
import { isLastResponseFromDevice } from '#web/offline/from-device.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { requestPersistentStorage } from '#features/recordings/web/takes/request-persistent-storage.ts';
import { runExclusively } from '#features/recordings/web/takes/take-locks.ts';
import { createRetrySchedule } from '#web/uploads/retry-schedule.ts';
import { waitForReturnOrReconnect } from '#web/uploads/on-return-or-reconnect.ts';
import { revalidatePack } from './revalidate-pack.ts';
import { fetchPackEntry } from './fetch-pack-entry.ts';
import { getLeaseEnd } from './lease.ts';
import { announcePackChange, getPackChannel } from './pack-channel.ts';
import {
  PACK_CHUNK_BYTES,
  type PackEntry,
  type PackEntryId,
  isQuotaExceededError,
  openPackStore,
} from './pack-store.ts';
import {
  type PackEntryState,
  NO_PACK,
  type PackDownloadState,
  type SpaceRequirement,
  setPackState,
} from './pack-state.ts';

/** Interval between state updates while fetching. */
const STATE_INTERVAL_MS = 250;
/** Interval at which the server is polled while it can't be reached. */
const SERVER_CHECK_INTERVAL_MS = 10_000;

/**
 * Downloads missing entries of the pack, in only one tab at a time, and keeps the pack's state in the page up to
 * date. The service worker serves responses from the pack.
 * @returns a function that stops the sync
 */
export function startPackSync(userId: string): () => void {
  const store = openPackStore();
  const scope = createResourceScope();
  const ending = new AbortController();
  const { signal } = ending;
  scope.own(() => setPackState(NO_PACK));
  scope.own(() => setDeviceSounds(new Map()));
  scope.own(() => ending.abort());
  let work: PackDownloadState = 'idle';
  let isWorking = false;
  let isDue = false;

  const actions = {
    save(ids: readonly PackEntryId[]) {
      requestPersistentStorage();
      void change(async () => {
        await store.ensureOwner(userId);
        await store.request(ids);
      });
    },
    remove: (ids: readonly PackEntryId[]) => void change(() => store.remove(ids)),
  };

  /** Applies a user's change, then fetches missing entries, even if the device was full before. */
  async function change(act: () => Promise<unknown>) {
    work = 'idle';
    try {
      await act();
      announcePackChange();
    } catch (error) {
      if (isQuotaExceededError(error)) work = { full: await estimateSpace(0) };
    }
    await showState();
    void fetchAll();
  }

  async function findOwnPack() {
    const owner = await store.findOwner();
    return owner?.userId === userId ? owner : null;
  }

  async function showState() {
    const owner = await findOwnPack().catch(() => null);
    const entries = owner ? await store.listEntries().catch(() => []) : [];
    if (scope.ended) return;
    setDeviceSounds(
      new Map(entries.flatMap(({ kept }) => kept?.files ?? []).map(({ name, copy }) => [name, copy ?? null])),
    );
    setPackState({
      actions,
      entries: new Map(entries.map((entry) => [entry.id, toEntryState(entry)])),
      leaseEndsAt: owner?.lease && entries.length > 0 ? new Date(getLeaseEnd(owner.lease, Date.now())) : null,
      downloadState: work,
    });
  }

  function showStateSoon() {
    if (isDue) return;
    isDue = true;
    scope.after(STATE_INTERVAL_MS, () => {
      isDue = false;
      void showState();
    });
  }

  async function fetchAll(): Promise<void> {
    if (isWorking || typeof work === 'object' || scope.ended || !(await hasWork())) return;
    if (isWorking) return;
    isWorking = true;
    try {
      await runExclusively('pack', signal, fetchEntries);
    } catch {
      // The page is closing, or the device's storage failed. The next page that opens continues the downloads.
    } finally {
      isWorking = false;
      if (typeof work !== 'object') work = 'idle';
      await showState();
    }
  }

  const hasWork = async () =>
    (await findOwnPack()) !== null && (await store.listEntries()).some(isIncomplete);

  async function fetchEntries(): Promise<void> {
    const schedule = createRetrySchedule();
    while (!signal.aborted && (await hasWork())) {
      let isAnswered = false;
      let failure: unknown = null;
      try {
        const checked = await revalidatePack(store);
        announcePackChange();
        if (checked === 'gone') return;
        isAnswered = checked === 'checked';
        const entries = (await store.listEntries()).filter(isIncomplete);
        const needed = entries.reduce((sum, entry) => sum + countMissingBytes(entry), 0);
        const owner = await findOwnPack();
        if (!owner || entries.length === 0) return;
        if (isAnswered) {
          const found = await estimateSpace(needed);
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
            await fetchPackEntry(store, owner, entry, { signal, onProgress });
            // Announces each entry as soon as it is complete, because the page may be closed before the others
            // are.
            announcePackChange();
            await showState();
          });
          if (failure === null) continue;
        }
      } catch (error) {
        failure = error;
        if (isQuotaExceededError(error)) {
          const lacking = (await store.listEntries()).reduce(
            (sum, entry) => sum + countMissingBytes(entry),
            0,
          );
          work = { full: await estimateSpace(lacking) };
          return;
        }
      }
      if (signal.aborted) return;
      work = 'waiting';
      await showState();
      await waitForReturnOrReconnect(schedule.after(failure, isAnswered), signal);
    }
  }

  /**
   * Whether this page is polling the server. It polls while responses come from the device, and refetches its
   * data once the server responds again.
   */
  let isPolling = false;
  async function pollServer() {
    if (isPolling) return;
    isPolling = true;
    try {
      while (isLastResponseFromDevice.get() && !signal.aborted) {
        await waitForReturnOrReconnect(SERVER_CHECK_INTERVAL_MS, signal);
        const answer = await fetch('/api/health', { cache: 'no-store', signal }).catch(() => null);
        if (!answer?.ok) continue;
        refreshQueries(LIVE_PATHS);
        void fetchAll();
        return;
      }
    } catch {
      // The page is closing.
    } finally {
      isPolling = false;
    }
  }

  scope.listen(getPackChannel(), 'message', () => {
    showStateSoon();
    void fetchAll();
  });
  scope.own(isLastResponseFromDevice.subscribe(() => void pollServer()));
  void pollServer();
  void showState().then(fetchAll);
  return () => scope.end();
}

/**
 * Fetches entries in turn. An entry for which the server returns an error does not block the others.
 * @returns the last failure, or null if there was none
 * @throws if the connection is lost or the device's storage fails
 */
async function fetchEach(entries: readonly PackEntry[], fetchOne: (entry: PackEntry) => Promise<void>) {
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

const isIncomplete = ({ kept, next }: PackEntry) => kept === null || next !== null;

const sumSizes = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0);

/** Returns the number of missing bytes of the version being fetched. */
function countMissingBytes({ kept, next }: PackEntry): number {
  if (!next) return 0;
  const storedNames = new Set(kept?.files.map(({ name }) => name));
  return next.files
    .filter(({ name }) => !storedNames.has(name))
    .reduce(
      (sum, { name, size }) => sum + Math.max(0, size - (next.chunks[name] ?? 0) * PACK_CHUNK_BYTES),
      0,
    );
}

function toEntryState(entry: PackEntry): PackEntryState {
  const { kept, next } = entry;
  const isSaved = kept !== null;
  const bytes = sumSizes(kept?.files ?? []);
  if (!next) return { isSaved, bytes, fraction: isSaved ? null : 0 };
  const size = sumSizes(next.files);
  return { isSaved, bytes, fraction: size === 0 ? 0 : 1 - countMissingBytes(entry) / size };
}

/**
 * Returns the needed bytes, and the free bytes if they are too few. `free` is null if the browser reports
 * enough space or no quota. Even then, storing may fail, because Chrome overstates the quota to prevent
 * fingerprinting.
 */
async function estimateSpace(needed: number): Promise<SpaceRequirement> {
  const storage = navigator.storage as Partial<StorageManager> | undefined;
  const { quota, usage = 0 } = (await storage?.estimate?.().catch(() => null)) ?? {};
  const free = quota === undefined ? null : Math.max(0, quota - usage);
  return { needed, free: free !== null && free < needed ? free : null };
}
