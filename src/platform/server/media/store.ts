import type { Readable } from 'node:stream';

/** Where media lie. Names are ours (random, one path segment), so a store need not mistrust them. */
export type MediaStore = {
  /** The installation whose files these are; null while nobody has said. */
  installationId(): Promise<string | null>;
  /** Writes that id durably, if there is none yet. Of several processes that do it at once, one wins. */
  claim(id: string): Promise<void>;
  unclaim(): Promise<void>;
  /** Takes over a staged file. When it resolves, the file survives a power cut. @throws AppError 'unavailable' */
  publish(stagedPath: string, name: string): Promise<void>;
  /**
   * Bytes `start` to `end`, both included, and how many the whole file has. A file that was set aside comes back.
   * @returns null when there is no such file
   * @throws AppError 'unavailable' when the store is out of reach, which says nothing about the file
   */
  open(
    name: string,
    range: { start: number; end?: number },
  ): Promise<{ stream: Readable; size: number } | null>;
  /** For good, also where it was set aside. Fine when there is no such file. */
  remove(name: string): Promise<void>;
  /** Without what was set aside. */
  list(): AsyncIterable<{ name: string; publishedAt: Date }>;
  aside: SetAside;
  /** Resolves when the store can be written to. */
  check(): Promise<void>;
};

/** Files taken out of use that can be had back for a while, by the day (2026-11-22) on which they went. */
export type SetAside = {
  /** Begins a day, with or without files. */
  begin(day: string): Promise<void>;
  /** All that were begun and not forgotten, oldest first. */
  days(): Promise<string[]>;
  put(name: string, day: string): Promise<void>;
  list(): AsyncIterable<string>;
  /** @returns whether there was such a file */
  takeBack(name: string): Promise<boolean>;
  /** Deletes a day and its files for good. */
  forget(day: string): Promise<void>;
};
