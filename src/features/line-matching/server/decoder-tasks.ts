import type { FoundLine } from '../alignment/find-lines.ts';
import type { LineStart } from '../alignment/melody-model.ts';

declare module '#server/decoding/tasks.ts' {
  interface DecoderTasks {
    /** Extracts the packed features of an audio file. */
    features: { input: { seconds: number; ffmpegPath: string | null }; result: { features: Uint8Array } };
    /** Finds the lines of a melody in a recording, given the melody's packed features and line starts. */
    lines: {
      input: {
        seconds: number;
        melody: { features: Uint8Array; starts: LineStart[] };
        ffmpegPath: string | null;
      };
      result: { lines: FoundLine[] };
    };
  }
}
