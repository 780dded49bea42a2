import type { StoredRecording, NewStoredRecording, TakeNote } from './stored-recording.ts';
import { newId } from '../uploads/new-id.ts';
import { holdTake } from './take-locks.ts';
import { TakeStoreError, type TakeStore } from './take-store.ts';

/** Sound waits at most so long for its way to the disk; with the recorder's 128 ms it is well under a second. */
const WRITE_EVERY_MS = 500;

export type WriterProblem = TakeStoreError['problem'];

/** What is known of a take once it is made. */
export type TakeFacts = Pick<StoredRecording, 'seconds' | 'peaks' | 'notes'>;

export type RecordingWriter = {
  /** For the recorder: each block as it comes, numbered from 0. */
  onBlock(samples: Int16Array<ArrayBuffer>, index: number): void;
  /** What is known already of a recording that may yet be cut off. */
  note(note: TakeNote): void;
  /** Everything is on the disk, or could not be. @returns what is kept; null when the device would not */
  finish(facts: TakeFacts): Promise<StoredRecording | null>;
  /** The recording is broken off: what there is of it stays, and other tabs may offer it. */
  leave(): Promise<void>;
  /** The recording is not wanted: what is kept of it goes. */
  discard(): Promise<void>;
};

/**
 * Keeps a recording on the device while it is being made. A device that will not keep it costs no recording: that
 * goes on in the page's memory, and `onProblem` is told once.
 */
export function createRecordingWriter(
  store: TakeStore,
  take: NewStoredRecording,
  onProblem: (problem: WriterProblem) => void,
): RecordingWriter {
  let kept: StoredRecording | null = null;
  let letGo: (() => void) | null = null;
  let waiting: { index: number; bytes: ArrayBuffer }[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let hasFailed = false;
  let isDiscarded = false;
  // One write after the other, so that a crash leaves no hole.
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
        if (!kept) {
          // Held before other tabs hear of it: they would take it for left behind, and remove what has no sound yet.
          const id = newId();
          letGo = holdTake(id, store.announce);
          kept = await store.begin(take, id);
        }
        await store.append(kept.id, chunks);
      } catch (error) {
        fail(error);
      }
    });
    return writing;
  }

  return {
    onBlock(samples, index) {
      if (hasFailed) return;
      // The block is the recorder's; what is written is a copy made now.
      waiting.push({ index, bytes: samples.slice().buffer });
      timer ??= setTimeout(() => void flush(), WRITE_EVERY_MS);
    },

    note(note) {
      void flush();
      writing = writing.then(async () => {
        if (!kept || hasFailed || isDiscarded) return;
        // What cannot be noted is no reason to give the recording up.
        await store.change(kept.id, { notes: [note] }).catch(() => undefined);
      });
    },

    async finish(facts) {
      await flush();
      const finished = kept;
      try {
        // What could not be written as a whole is worse than nothing beside the take in memory.
        if (finished && hasFailed) await store.remove(finished.id);
        if (!finished || hasFailed || isDiscarded) return null;
        if (await store.change(finished.id, { state: 'recorded', ...facts }))
          return { ...finished, state: 'recorded', ...facts };
        // Forgotten while it was being made: what was written behind that is of no use.
        await store.remove(finished.id);
        return null;
      } catch (error) {
        fail(error);
        return null;
      } finally {
        letGo?.();
      }
    },

    async leave() {
      await flush();
      letGo?.();
    },

    async discard() {
      isDiscarded = true;
      if (timer) clearTimeout(timer);
      await writing;
      letGo?.();
      const begun = kept;
      if (begun) await store.remove(begun.id).catch(() => undefined);
    },
  };
}
