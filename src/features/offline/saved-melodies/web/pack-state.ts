import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import type { PackEntryId } from './pack-store.ts';

/** State of an entry. `fraction` is the download progress from 0 to 1, or null if nothing is being fetched. */
export type PackEntryState = { isSaved: boolean; bytes: number; fraction: number | null };

/** Needed and free space, in bytes. `free` is null unless the browser reports less than the needed space. */
export type SpaceRequirement = { needed: number; free: number | null };

/**
 * 'waiting': the download waits for the connection. `full`: nothing is downloaded, because the device has too
 * little space.
 */
export type PackDownloadState = 'idle' | 'fetching' | 'waiting' | { full: SpaceRequirement };

export type PackState = {
  /** Null if nothing can be stored, or if that is not known yet. */
  actions: { save(ids: readonly PackEntryId[]): void; remove(ids: readonly PackEntryId[]): void } | null;
  entries: ReadonlyMap<PackEntryId, PackEntryState>;
  /** End of the lease; null if there is none. */
  leaseEndsAt: Date | null;
  downloadState: PackDownloadState;
};

export const NO_PACK: PackState = {
  actions: null,
  entries: new Map(),
  leaseEndsAt: null,
  downloadState: 'idle',
};

const pack = createStore(NO_PACK);

export const setPackState = pack.set;

/** Returns what `part` selects from the pack's state. Re-renders the component only when that changes. */
export const usePack = <T>(part: (state: PackState) => T): T => useStore(pack, part);
