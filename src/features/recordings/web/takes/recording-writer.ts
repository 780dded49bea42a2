import type { StoredRecording, NewStoredRecording, TakeWarning } from '#web/audio/stored-recording.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { lockTake } from './take-locks.ts';
import { TakeStoreError, type TakeStore } from './take-store.ts';

/**
 * Maximum time before audio is written to disk. Together with the recorder's blocks of 128 ms, the delay is
 * well below a second.
 */
const WRITE_INTERVAL_MS = 500;

export type RecordingWriterProblem = TakeStoreError['problem'];

/** Metadata of a take, known once the take is complete. */
export type TakeMetadata = Pick<StoredRecording, 'seconds' | 'peaks' | 'notes'> &
  Partial<Pick<StoredRecording, 'sending'>>;

export type RecordingWriter = {
  /** Called by the recorder with each block, numbered from 0. */
  onBlock(samples: Int16Array<ArrayBuffer>, index: number): void;
  /** Stores a warning immediately, because the recording may still be cut off. */
  addNote(note: TakeWarning): void;
  /**
   * Writes the remaining audio to disk and completes the recording.
   * @returns the stored recording, or null if it could not be stored
   */
  finish(metadata: TakeMetadata): Promise<StoredRecording | null>;
  /**
   * Stops the recording before its end. The stored audio stays on the device, and other tabs may offer it.
   * @returns whether all audio so far has been stored
   */
  abandon(): Promise<boolean>;
  /** Removes the stored audio. */
  discard(): Promise<void>;
};

/**
 * Stores a recording on the device while it is being made. If that fails, the recording continues in the page's
 * memory, and `onProblem` is called once.
 * @param id id of the take, for callers that need to know it
 */
export function createRecordingWriter(
  store: TakeStore,
  take: NewStoredRecording,
  onProblem: (problem: RecordingWriterProblem) => void,
  id: string = createUuid(),
): RecordingWriter {
  let storedRecording: StoredRecording | null = null;
  let release: (() => void) | null = null;
  let waiting: { index: number; bytes: ArrayBuffer }[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let hasFailed = false;
  let isDiscarded = false;
  const warnings: TakeWarning[] = [];
  // Writes run one after the other, so that a crash leaves no gap.
  let writing: Promise<void> = Promise.resolve();

  function fail(error: unknown) {
    if (hasFailed) return;
    hasFailed = true;
    onProblem(error instanceof TakeStoreError ? error.problem : 'unavailable');
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const chunks = waiting;
    waiting = [];
    writing = writing.then(async () => {
      if (hasFailed || isDiscarded || chunks.length === 0) return;
      try {
        if (!storedRecording) {
          // Locks the take before other tabs are notified of it. They would otherwise treat it as abandoned and
          // remove it, because it has no audio yet.
          release = lockTake(id, store.announce);
          storedRecording = await store.begin(take, id);
        }
        await store.append(storedRecording.id, chunks);
      } catch (error) {
        fail(error);
      }
    });
    return writing;
  }

  return {
    onBlock(samples, index) {
      if (hasFailed) return;
      // Copies the samples, because the recorder reuses the block.
      waiting.push({ index, bytes: samples.slice().buffer });
      timer ??= setTimeout(() => void flush(), WRITE_INTERVAL_MS);
    },

    addNote(note) {
      void flush();
      warnings.push(note);
      const notes = [...warnings];
      writing = writing.then(async () => {
        if (!storedRecording || hasFailed || isDiscarded) return;
        // If the warning can't be stored, the recording continues.
        await store.change(storedRecording.id, { notes }).catch(() => undefined);
      });
    },

    async finish(metadata) {
      await flush();
      const finished = storedRecording;
      try {
        // Removes an incomplete copy, because the whole take is in memory.
        if (finished && hasFailed) await store.remove(finished.id);
        if (!finished || hasFailed || isDiscarded) return null;
        if (await store.change(finished.id, { state: 'recorded', ...metadata }))
          return { ...finished, state: 'recorded', ...metadata };
        // The take was removed during recording. Removes the chunks that were written after that.
        await store.remove(finished.id);
        return null;
      } catch (error) {
        fail(error);
        return null;
      } finally {
        release?.();
      }
    },

    async abandon() {
      await flush();
      release?.();
      return storedRecording !== null && !hasFailed;
    },

    async discard() {
      isDiscarded = true;
      if (timer) clearTimeout(timer);
      await writing;
      release?.();
      const begun = storedRecording;
      if (begun) await store.remove(begun.id).catch(() => undefined);
    },
  };
}
