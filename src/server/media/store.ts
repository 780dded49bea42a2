import type { Readable } from 'node:stream';

/** The media store. Names are ours (random, one path segment), so a store may trust them. */
export type MediaStore = {
  /** Returns the installation that owns these files; null if not yet set. */
  installationId(): Promise<string | null>;
  /** Writes that id durably unless there is one already. Of several concurrent processes, one wins. */
  claim(id: string): Promise<void>;
  unclaim(): Promise<void>;
  /**
   * Moves a staged file into the store. When this resolves, the file survives a power cut.
   * @throws AppError 'unavailable'
   */
  publish(stagedPath: string, name: string): Promise<void>;
  /**
   * Opens bytes `start` to `end`, inclusive, and returns the size of the whole file. A file that was set aside is
   * restored.
   * @returns null if there is no such file
   * @throws AppError 'unavailable' if the store can't be reached, which doesn't mean that the file is missing
   */
  open(
    name: string,
    range: { start: number; end?: number },
  ): Promise<{ stream: Readable; size: number } | null>;
  /**
   * Reads the same bytes into memory, which costs far less if they are few.
   * @throws as `open` does
   */
  read(name: string, range: { start: number; end: number }): Promise<{ bytes: Buffer; size: number } | null>;
  /**
   * Returns an address at which anyone can get the file for this many seconds, served with this content type.
   * Doesn't check whether the file exists. Null if the store has no addresses.
   */
  signedUrl: ((name: string, answer: { contentType: string; seconds: number }) => Promise<string>) | null;
  /**
   * Reads the whole file, using little memory.
   * @throws as `open` does; the signal's reason once it is aborted; the system's error if the disk can't read its
   * own sectors
   */
  digest(name: string, signal?: AbortSignal): Promise<{ size: number; sha256: string } | null>;
  /**
   * Returns the length of the file; null if it is not in its place, even if it was set aside.
   * @throws as `open` does
   */
  sizeOf(name: string): Promise<number | null>;
  /** Removes the file permanently, even if it was set aside. A no-op if there is no such file. */
  remove(name: string): Promise<void>;
  /** Lists files in the order of their names, using little memory. Leaves out files set aside. */
  list(): AsyncIterable<StoredFile>;
  aside: SetAside;
  /** Resolves if the store is writable. */
  check(): Promise<void>;
};

export type StoredFile = { name: string; size: number; publishedAt: Date };

/** Files set aside, by day (2026-11-22). They can be restored for a while. */
export type SetAside = {
  /** Begins a day, which may stay without files. */
  begin(day: string): Promise<void>;
  /** Returns all days begun and not yet deleted, oldest first. */
  days(): Promise<string[]>;
  /**
   * Sets a file aside.
   * @returns false if there is no such file
   */
  put(name: string, day: string): Promise<boolean>;
  /** Lists files set aside, possibly including some that were restored. */
  list(): AsyncIterable<string>;
  /**
   * Restores a file to its place.
   * @returns whether it had been set aside and was missing from its place
   */
  restore(name: string): Promise<boolean>;
  /** Deletes a day and its files permanently. */
  forget(day: string): Promise<void>;
};
