import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import type { EntryId } from './pack-store.ts';

/** Of a melody: whether it can be used, and how much of what is on its way is here, from 0 to 1; null for nothing. */
export type EntryState = { isKept: boolean; bytes: number; fraction: number | null };

/** In bytes; `free` is null where the browser doesn't say. */
export type Room = { needed: number; free: number | null };

/** 'waiting': for the connection. 'full': nothing more comes until there is room. */
export type PackWork = 'idle' | 'fetching' | 'waiting' | { full: Room };

export type PackState = {
  /** Null where nothing can be kept, and until that is known. */
  actions: { keep(ids: readonly EntryId[]): void; remove(ids: readonly EntryId[]): void } | null;
  entries: ReadonlyMap<EntryId, EntryState>;
  /** When the lease of what is kept ends; null while there is none. */
  until: Date | null;
  work: PackWork;
};

export const NO_PACK: PackState = { actions: null, entries: new Map(), until: null, work: 'idle' };

const pack = createStore(NO_PACK);

export const setPackState = pack.set;

/** A part of the pack's state; the component re-renders when that part is another. */
export const usePack = <T>(part: (state: PackState) => T): T => useStore(pack, part);
