import type { StoredRecording, TakeNote } from '../../takes/stored-recording.ts';
import type { WriterProblem, TakeFacts, RecordingWriter } from '../../takes/recording-writer.ts';

/** Begins to keep a recording of this name; the device's trouble with it is told once. */
export type KeepRecording = (name: string, onProblem: (problem: WriterProblem) => void) => RecordingWriter;

/** A device that has not answered by then is not waited for: the recording is in memory as a whole. */
const PATIENCE_MS = 3_000;

/** One keeper for each recording of a recorder, from its first block to its end. */
export function createKeeping() {
  let keep: KeepRecording | undefined;
  let onProblem: (problem: WriterProblem) => void = () => undefined;
  let keeper: RecordingWriter | null = null;
  let name = '';

  return {
    /** What the next recording is kept with. */
    use(latest: KeepRecording | undefined, tell: (problem: WriterProblem) => void) {
      keep = latest;
      onProblem = tell;
    },

    /** For the recorder. */
    onBlock(samples: Int16Array<ArrayBuffer>, index: number) {
      if (index === 0) {
        name = newRecordingName();
        keeper = keep?.(name, (problem) => onProblem(problem)) ?? null;
      }
      keeper?.onBlock(samples, index);
    },

    /** What is known of a recording that goes on. */
    note(note: TakeNote) {
      keeper?.note(note);
    },

    /** The recording has ended. @returns its name, and what the device keeps of it; null when it does not */
    async finish(facts: TakeFacts): Promise<{ name: string; kept: StoredRecording | null }> {
      const ended = keeper;
      const named = { name: name || newRecordingName() };
      keeper = null;
      if (!ended) return { ...named, kept: null };
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          // It must not turn up once more later on.
          void ended.discard();
          resolve(null);
        }, PATIENCE_MS);
      });
      const kept = await Promise.race([ended.finish(facts), late]);
      clearTimeout(timer);
      return { ...named, kept };
    },

    /** The page is left in the middle: what has been recorded stays on the device, to be offered again. */
    leave() {
      void keeper?.leave();
      keeper = null;
    },
  };
}

const newRecordingName = () => `recording-${new Date().toISOString().slice(0, 19).replace(/\D/g, '-')}.wav`;
