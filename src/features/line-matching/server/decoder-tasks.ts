import type { FoundLine } from '../alignment/find-lines.ts';
import type { LineStart } from '../alignment/melody-model.ts';

declare module '#server/decoding/tasks.ts' {
  interface DecoderTasks {
    /** Extracts the features of a sound, packed. */
    features: { given: { seconds: number; ffmpegPath: string | null }; done: { features: Uint8Array } };
    /** Finds the lines of a melody, given its packed features and the starts of its lines. */
    lines: {
      given: {
        seconds: number;
        melody: { features: Uint8Array; starts: LineStart[] };
        ffmpegPath: string | null;
      };
      done: { lines: FoundLine[] };
    };
  }
}
