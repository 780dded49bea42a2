import type { Readable } from 'node:stream';

/** Where media lie. Names are ours (random, one path segment), so a store need not mistrust them. */
export type MediaStore = {
  /** Takes over a staged file. When it resolves, the file survives a power cut. */
  publish(stagedPath: string, name: string): Promise<void>;
  /** Bytes `start` to `end`, both included. Null when there is no such file. */
  open(name: string, range: { start: number; end: number }): Promise<Readable | null>;
  /** Fine when there is no such file. */
  remove(name: string): Promise<void>;
  list(): AsyncIterable<{ name: string; publishedAt: Date }>;
  /** Resolves when the store can be written to. */
  check(): Promise<void>;
};
