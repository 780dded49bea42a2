import type { Sandbox } from './sandbox.ts';

/** What files of strangers are decoded with. */
export type Decoders = {
  /** Null where there is none. */
  ffmpegPath: string | null;
  sandbox: Sandbox;
};
