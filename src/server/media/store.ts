import type { Readable } from 'node:stream';

/** The media store. Names are ours (random, one path segment), so a store may trust them. */
export type MediaStore = {
  /** The installation that owns these files; null if not yet set. */
  installationId(): Promise<string | null>;
  /** Writes that id durably, if there is none yet. Of several concurrent processes, one wins. */
  claim(id: string): Promise<void>;
  unclaim(): Promise<void>;
  /**
   * Moves a staged file into the store. When it resolves, the file survives a power cut. @throws AppError 'unavailable'
   */
  publish(stagedPath: string, name: string): Promise<void>;
  /**
   * Bytes `start` to `end`, inclusive, and the size of the whole file. A file that was set aside is restored.
   * @returns null if there is no such file
   * @throws AppError 'unavailable' when the store is out of reach, which says nothing about the file
   */
  open(
    name: string,
    range: { start: number; end?: number },
  ): Promise<{ stream: Readable; size: number } | null>;
  /** The same bytes at once, which costs far less for a few of them: they are all in memory. @throws as `open` does */
  read(name: string, range: { start: number; end: number }): Promise<{ bytes: Buffer; size: number } | null>;
  /**
   * An address at which anybody can get the file for so many seconds, and which says that it is of this type. Whether
   * there is such a file is not asked. Null for a store that has no addresses.
   */
  signedUrl: ((name: string, answer: { contentType: string; seconds: number }) => Promise<string>) | null;
  /**
   * Reads the whole file, with little memory. @throws as `open` does; the signal's reason once it is aborted; the
   * system's error when the disk can't read its own sectors
   */
  digest(name: string, signal?: AbortSignal): Promise<{ size: number; sha256: string } | null>;
  /** How long the file is; null if it is not in its place, though it may be set aside. @throws as `open` does */
  sizeOf(name: string): Promise<number | null>;
  /** For good, also if it was set aside. A no-op if there is no such file. */
  remove(name: string): Promise<void>;
  /** In the order of their names, with little memory; without files set aside. */
  list(): AsyncIterable<StoredFile>;
  aside: SetAside;
  /** Resolves if the store is writable. */
  check(): Promise<void>;
};

export type StoredFile = { name: string; size: number; publishedAt: Date };

/** Files set aside that can be restored for a while, by day (2026-11-22). */
export type SetAside = {
  /** Begins a day, with or without files. */
  begin(day: string): Promise<void>;
  /** All days begun and not yet deleted, oldest first. */
  days(): Promise<string[]>;
  /** @returns false if there is no such file */
  put(name: string, day: string): Promise<boolean>;
  /** Perhaps also some that have come back. */
  list(): AsyncIterable<string>;
  /** Back to its place. @returns whether there was such a file, and it was not in its place */
  restore(name: string): Promise<boolean>;
  /** Deletes a day and its files for good. */
  forget(day: string): Promise<void>;
};
