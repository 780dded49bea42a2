/** What was typed is at the server so soon after the first letter, however fast one goes on. */
const SAVE_AFTER_MS = 1_200;

const TRY_AGAIN_AFTER_MS = 10_000;

/** 'device': it waits there for a line, or for its turn. */
export type SaveState = 'none' | 'device' | 'server';

export type DraftSaver<T> = {
  subscribe(listener: () => void): () => void;
  getSnapshot(): SaveState;
  /** The device has it already. */
  change(next: T): void;
  /** Saves what waits at once. @param isLeaving the page may go before the answer comes */
  flush(isLeaving?: boolean): void;
  /** Saves nothing more, and resolves once nothing is on its way: what comes now is the answer itself. */
  pause(): Promise<void>;
  /** Saves what waits, and tries nothing further until the next change. */
  end(): void;
};

/**
 * Brings a draft to the server, a moment after it was changed. One call at a time, so that an older text never comes
 * after a newer one.
 */
export function createDraftSaver<T>(options: {
  save: (draft: T, isLeaving: boolean) => Promise<void>;
  /** The server has it. */
  onSaved: (draft: T) => void;
  /** Whether it makes no sense to try again before the next change. */
  isFinal?: (error: Error) => boolean;
}): DraftSaver<T> {
  const { save, onSaved, isFinal = () => false } = options;
  const listeners = new Set<() => void>();
  let state: SaveState = 'none';
  let unsaved: T | null = null;
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
    const draft = unsaved;
    if (draft === null || isPaused) return;
    // Who leaves does not wait for the call before.
    if (saving && !isLeaving) return;
    unsaved = null;
    isRefused = false;
    const call = save(draft, isLeaving).then(
      () => {
        if (isPaused) return;
        onSaved(draft);
        if (unsaved !== null) later(0);
        else show('server');
      },
      (error: Error) => {
        // What was typed meanwhile has its turn in any case.
        isRefused = isFinal(error) && unsaved === null;
        unsaved ??= draft;
        if (!isFinal(error)) later(TRY_AGAIN_AFTER_MS);
      },
    );
    saving = call.finally(() => {
      saving = null;
      if (unsaved !== null && !isRefused) later(SAVE_AFTER_MS);
    });
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => state,
    change(next) {
      isPaused = false;
      isEnded = false;
      isRefused = false;
      unsaved = next;
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
