import type { Written } from './draft.ts';

/** What was typed is at the server so soon after the first letter, however fast one goes on. */
const SAVE_AFTER_MS = 1_200;

const TRY_AGAIN_AFTER_MS = 10_000;

/** 'device': it waits there for a line, or for its turn. */
export type SaveState = 'none' | 'device' | 'server';

export type DraftSaver = {
  subscribe(listener: () => void): () => void;
  getSnapshot(): SaveState;
  change(written: Written): void;
  /** Saves what waits at once. @param isLeaving the page may go before the answer comes */
  flush(isLeaving?: boolean): void;
  /** Saves nothing more, and resolves once nothing is on its way: what comes now is the answer itself. */
  pause(): Promise<void>;
  /** Saves what waits, and tries nothing further until the next change. */
  end(): void;
};

/**
 * Keeps a draft: on the device with every letter, at the server a moment later. One call at a time, so that an older
 * text never comes after a newer one.
 */
export function createDraftSaver(options: {
  keep: (written: Written, isOnServer: boolean) => void;
  save: (written: Written, isLeaving: boolean) => Promise<void>;
  /** Whether it makes no sense to try again before the next change. */
  isFinal?: (error: Error) => boolean;
}): DraftSaver {
  const { keep, save, isFinal = () => false } = options;
  const listeners = new Set<() => void>();
  let state: SaveState = 'none';
  let unsaved: Written | null = null;
  let saving: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRefused = false;
  let isPaused = false;
  let isEnded = false;

  function show(next: SaveState) {
    if (next === state) return;
    state = next;
    for (const listener of [...listeners]) listener();
  }

  function later(wait: number) {
    if (!isEnded && !isPaused) timer ??= setTimeout(() => flush(), wait);
  }

  function flush(isLeaving = false) {
    clearTimeout(timer);
    timer = undefined;
    const written = unsaved;
    if (!written || isPaused) return;
    // Who leaves does not wait for the call before.
    if (saving && !isLeaving) return;
    unsaved = null;
    isRefused = false;
    const call = save(written, isLeaving).then(
      () => {
        if (unsaved) return later(0);
        if (isPaused) return;
        keep(written, true);
        show('server');
      },
      (error: Error) => {
        // What was typed meanwhile has its turn in any case.
        isRefused = isFinal(error) && !unsaved;
        unsaved ??= written;
        if (!isFinal(error)) later(TRY_AGAIN_AFTER_MS);
      },
    );
    saving = call.finally(() => {
      saving = null;
      if (unsaved && !isRefused) later(SAVE_AFTER_MS);
    });
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => state,
    change(written) {
      isPaused = false;
      isEnded = false;
      isRefused = false;
      keep(written, false);
      unsaved = written;
      show('device');
      later(SAVE_AFTER_MS);
    },
    flush,
    async pause() {
      isPaused = true;
      clearTimeout(timer);
      timer = undefined;
      await saving;
    },
    end() {
      flush(true);
      isEnded = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
