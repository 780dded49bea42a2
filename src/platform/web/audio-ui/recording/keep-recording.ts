import type { StoredRecording, TakeNote } from '../../takes/stored-recording.ts';
import type { WriterProblem, TakeFacts, RecordingWriter } from '../../takes/recording-writer.ts';

/** Begins to store a recording of this name; `onProblem` is called once if the device cannot store it. */
export type KeepRecording = (name: string, onProblem: (problem: WriterProblem) => void) => RecordingWriter;

/** How long to wait for the device's storage: the whole recording is in memory anyway. */
const PATIENCE_MS = 3_000;

/** Stores each recording of a recorder with a writer of its own, from its first block to its end. */
export function createKeeping() {
  let keep: KeepRecording | undefined;
  let onProblem: (problem: WriterProblem) => void = () => undefined;
  let keeper: RecordingWriter | null = null;
  let name = '';

  return {
    /** Sets how the next recording is stored. */
    use(latest: KeepRecording | undefined, tell: (problem: WriterProblem) => void) {
      keep = latest;
      onProblem = tell;
    },

    /** Called by the recorder. */
    onBlock(samples: Int16Array<ArrayBuffer>, index: number) {
      if (index === 0) {
        name = newRecordingName();
        keeper = keep?.(name, (problem) => onProblem(problem)) ?? null;
      }
      keeper?.onBlock(samples, index);
    },

    /** Stores a note on the recording in progress. */
    note(note: TakeNote) {
      keeper?.note(note);
    },

    /** To be called when the recording has ended. @returns its name and stored copy; null if it could not be stored */
    async finish(facts: TakeFacts): Promise<{ name: string; kept: StoredRecording | null }> {
      const ended = keeper;
      const named = { name: name || newRecordingName() };
      keeper = null;
      if (!ended) return { ...named, kept: null };
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          // The stored copy must not turn up again later.
          void ended.discard();
          resolve(null);
        }, PATIENCE_MS);
      });
      const kept = await Promise.race([ended.finish(facts), late]);
      clearTimeout(timer);
      return { ...named, kept };
    },

    /** The page is left during a recording: what has been recorded stays on the device, to be offered again. */
    leave() {
      void keeper?.leave();
      keeper = null;
    },
  };
}

const newRecordingName = () => `recording-${new Date().toISOString().slice(0, 19).replace(/\D/g, '-')}.wav`;
