import type { Readable } from 'node:stream';

/** A media store. File names are created by us (random, one path segment), so a store may trust them. */
export type MediaStore = {
  /** Number of files that are worth reading or writing concurrently: 1 on a disk, more over a network. */
  maxConcurrent: number;
  /**
   * Returns the id of the installation that owns these files; null before the store is claimed.
   * @throws InstallationMismatchError if the id is damaged; AppError 'unavailable'
   */
  installationId(): Promise<string | null>;
  /**
   * Writes the installation's id durably, unless the store already has an id. If several processes call this
   * concurrently, only one of them writes its id.
   */
  claim(id: string): Promise<void>;
  unclaim(): Promise<void>;
  /**
   * Moves a staged file into the store. When this resolves, the file survives a power cut.
   * @throws AppError 'unavailable'; 'storage-full' for S3
   */
  publish(stagedPath: string, name: string): Promise<void>;
  /**
   * Opens bytes `start` to `end`, inclusive, and returns the size of the whole file. If the file was set aside,
   * restores it.
   * @returns null if there is no such file
   * @throws AppError 'unavailable' if the store can't be reached, which doesn't mean that the file is missing
   */
  open(
    name: string,
    range: { start: number; end?: number },
  ): Promise<{ stream: Readable; size: number } | null>;
  /**
   * Reads bytes `start` to `end`, inclusive, into memory. For a small range, this is much cheaper than `open`.
   * @throws like `open`
   */
  read(name: string, range: { start: number; end: number }): Promise<{ bytes: Buffer; size: number } | null>;
  /**
   * Returns a URL from which anyone can download the file for this many seconds, with this content type.
   * Doesn't check whether the file exists. Null if the store can't create URLs.
   */
  signedUrl: ((name: string, answer: { contentType: string; seconds: number }) => Promise<string>) | null;
  /**
   * Computes size and SHA-256 by reading the whole file, using little memory.
   * @throws like `open`; the signal's reason when it is aborted; EIO if the disk can't read its sectors
   */
  digest(name: string, signal?: AbortSignal): Promise<{ size: number; sha256: string } | null>;
  /**
   * Returns the size of the file in bytes; null if it is missing or was set aside.
   * @throws like `open`
   */
  sizeOf(name: string): Promise<number | null>;
  /** Removes the file permanently, even if it was set aside. A no-op if there is no such file. */
  remove(name: string): Promise<void>;
  /** Lists the files sorted by name, without those set aside. Uses little memory. */
  list(): AsyncIterable<StoredFile>;
  aside: SetAsideFiles;
  /** Resolves if the store is writable. */
  check(): Promise<void>;
};

export type StoredFile = { name: string; size: number; publishedAt: Date };

/** Files set aside, by day ('2026-11-22'). They can be restored until their day is deleted. */
export type SetAsideFiles = {
  /** Begins a day, which may remain empty. */
  begin(day: string): Promise<void>;
  /** Returns all days that were begun and not yet deleted, oldest first. */
  days(): Promise<string[]>;
  /**
   * Sets a file aside.
   * @returns false if there is no such file
   */
  put(name: string, day: string): Promise<boolean>;
  /** Lists files set aside. May include files that have been restored. */
  list(): AsyncIterable<string>;
  /**
   * Restores a file.
   * @returns false if the file was not set aside, or is already in the store
   */
  restore(name: string): Promise<boolean>;
  /** Deletes a day and its files permanently. */
  deleteDay(day: string): Promise<void>;
};
