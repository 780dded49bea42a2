import type { TakeWarning } from '#web/audio/stored-recording.ts';
import type { RecordingWriterProblem, TakeMetadata, RecordingWriter } from '../takes/recording-writer.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';

/** Starts storing a recording under this name. Calls `onProblem` once if the device can't store it. */
export type OpenRecordingWriter = (
  name: string,
  onProblem: (problem: RecordingWriterProblem) => void,
) => RecordingWriter;

/** The take's name, and its stored copy or the reason why it was not stored. */
type StoredCopy = Pick<ChosenAudio, 'name' | 'kept' | 'notKept'>;

/** Maximum time to wait for the device's storage. After that, the recording is taken from memory. */
const STORAGE_TIMEOUT_MS = 3_000;

/**
 * Creates the storage for a recorder. Each recording gets a new writer, which stores it from the first block
 * to the last.
 */
export function createRecordingStorage() {
  let openWriter: OpenRecordingWriter | undefined;
  let onProblem: (problem: RecordingWriterProblem) => void = () => undefined;
  let writer: RecordingWriter | null = null;
  let problem: RecordingWriterProblem | null = null;
  let name = '';

  /**
   * @returns the result of `stored`, or null if the device does not respond in time. After a timeout, the
   * stored copy is discarded, so that it doesn't turn up later.
   */
  async function waitForStorage<T>(ended: RecordingWriter, stored: Promise<T>): Promise<T | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        void ended.discard();
        resolve(null);
      }, STORAGE_TIMEOUT_MS);
    });
    const kept = await Promise.race([stored, late]);
    clearTimeout(timer);
    return kept;
  }

  return {
    /** Sets how the next recording is stored. */
    setOpenWriter(latest: OpenRecordingWriter | undefined, tell: (problem: RecordingWriterProblem) => void) {
      openWriter = latest;
      onProblem = tell;
    },

    /** Stores a block, and opens a writer for the first block. Called by the recorder for each block. */
    onBlock(samples: Int16Array<ArrayBuffer>, index: number) {
      if (index === 0) {
        name = createRecordingName();
        problem = null;
        writer =
          openWriter?.(name, (met) => {
            problem = met;
            onProblem(met);
          }) ?? null;
      }
      writer?.onBlock(samples, index);
    },

    /** Stores a warning about the recording in progress. */
    addNote(note: TakeWarning) {
      writer?.addNote(note);
    },

    /** Completes the stored recording. Call it when the recording has ended. */
    async finish(facts: TakeMetadata): Promise<StoredCopy> {
      const ended = writer;
      const named = { name: name || createRecordingName() };
      writer = null;
      if (!ended) return { ...named, kept: null };
      const kept = await waitForStorage(ended, ended.finish(facts));
      return kept ? { ...named, kept } : { ...named, kept, notKept: problem ?? 'unavailable' };
    },

    discard() {
      const unwanted = writer;
      writer = null;
      void unwanted?.discard();
    },

    /**
     * Ends the recording when the user leaves the page. The stored audio stays on the device, to be offered
     * again.
     * @param isInMemory whether the whole recording is still in memory. If so, an incomplete stored copy is
     *   discarded.
     * @returns name and problem of a recording that is only in memory; null if it has been stored or is not in
     *   memory
     */
    async abandon(isInMemory: boolean): Promise<StoredCopy | null> {
      const left = writer;
      writer = null;
      if (!left) return null;
      const leaving = left.abandon();
      if (!isInMemory || (await waitForStorage(left, leaving))) return null;
      await left.discard();
      return { name, kept: null, notKept: problem ?? 'unavailable' };
    },
  };
}

const createRecordingName = () =>
  `recording-${new Date().toISOString().slice(0, 19).replace(/\D/g, '-')}.wav`;
