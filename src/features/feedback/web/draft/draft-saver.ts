import { createStore, type ReadableStore } from '#web/store.ts';

/** Delay from the first unsaved change to its save. Further typing does not extend the delay. */
const SAVE_DELAY_MS = 1_200;

const RETRY_DELAY_MS = 10_000;

/** 'device' means that the latest change is stored on the device, but not yet on the server. */
export type DraftSaveState = 'none' | 'device' | 'server';

export type DraftSaver<T> = ReadableStore<DraftSaveState> & {
  /** Schedules a save. The caller has already stored the draft on the device. */
  scheduleSave(next: T): void;
  /**
   * Saves unsaved changes immediately, or after the save that is in flight. Does nothing while paused.
   * @param isLeaving true if the page may close before the response; does not wait for the save in flight
   */
  flush(isLeaving?: boolean): void;
  /**
   * Stops saving until the next change. Resolves when no save is in flight, so that the reply itself can be
   * sent.
   */
  pause(): Promise<void>;
  /** Saves unsaved changes, without retries, and stops until the next change. */
  end(): void;
};

/**
 * Saves a draft to the server shortly after a change. Makes one call at a time (except when the page closes),
 * so that older text never arrives after newer text.
 */
export function createDraftSaver<T>(options: {
  save: (draft: T, isLeaving: boolean) => Promise<void>;
  /** Called when the server has saved the draft. */
  onSaved: (draft: T) => void;
  /**
   * Returns whether an error is permanent. After a permanent error, only the next change or flush saves
   * again.
   */
  isFinal?: (error: Error) => boolean;
}): DraftSaver<T> {
  const { save, onSaved, isFinal = () => false } = options;
  const state = createStore<DraftSaveState>('none');
  let unsaved: T | null = null;
  let saving: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRejected = false;
  let isPaused = false;
  let isEnded = false;

  function scheduleFlush(wait: number) {
    if (!isEnded && !isPaused) timer ??= setTimeout(() => flush(), wait);
  }

  function flush(isLeaving = false) {
    clearTimeout(timer);
    timer = undefined;
    const draft = unsaved;
    if (draft === null || isPaused) return;
    // Doesn't wait for an earlier call when the page closes, because the page may close before that call ends.
    if (saving && !isLeaving) return;
    unsaved = null;
    isRejected = false;
    const call = save(draft, isLeaving).then(
      () => {
        if (isPaused) return;
        onSaved(draft);
        if (unsaved !== null) scheduleFlush(0);
        else state.set('server');
      },
      (error: Error) => {
        // Changes made during the call are saved even if this draft was rejected.
        isRejected = isFinal(error) && unsaved === null;
        unsaved ??= draft;
        if (!isFinal(error)) scheduleFlush(RETRY_DELAY_MS);
      },
    );
    saving = call.finally(() => {
      saving = null;
      if (unsaved !== null && !isRejected) scheduleFlush(SAVE_DELAY_MS);
    });
  }

  return {
    subscribe: state.subscribe,
    get: state.get,
    scheduleSave(next) {
      isPaused = false;
      isEnded = false;
      isRejected = false;
      unsaved = next;
      state.set('device');
      scheduleFlush(SAVE_DELAY_MS);
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
