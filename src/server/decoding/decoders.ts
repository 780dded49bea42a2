import type { Sandbox } from './sandbox.ts';

/** The tools that decode untrusted files. */
export type Decoders = {
  /** Null if there is none. */
  ffmpegPath: string | null;
  sandbox: Sandbox;
};
