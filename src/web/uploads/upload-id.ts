import { createUuid } from './create-uuid.ts';

const ids = new WeakMap<Blob, string>();

/**
 * Returns the id of a file. The id is the same each time the file is sent, so that the upload resumes where
 * it stopped and a retry after a lost response creates no duplicate.
 * @param kept the id under which the file is or was stored on the device; it becomes the file's id
 */
export function getUploadId(file: Blob, kept?: string): string {
  const id = kept ?? ids.get(file) ?? createUuid();
  ids.set(file, id);
  return id;
}

/** Returns whether the file already has an id, which means that it may have been sent. */
export const hasUploadId = (file: Blob): boolean => ids.has(file);
