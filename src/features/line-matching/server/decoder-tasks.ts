import type { FoundLine } from '../alignment/find-lines.ts';
import type { LineStart } from '../alignment/melody-model.ts';

declare module '#server/decoding/tasks.ts' {
  interface DecoderTasks {
    /** Returns what is compared of a sound, packed. */
    features: { given: { seconds: number; ffmpegPath: string | null }; done: { features: Uint8Array } };
    /** Finds the lines of a melody, given by its packed features and when its lines begin. */
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
