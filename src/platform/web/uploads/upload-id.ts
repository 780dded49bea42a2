import { newId } from './new-id.ts';

const ids = new WeakMap<Blob, string>();

/**
 * The same for one file however often it is sent: an upload goes on where it stopped, and a retry after a lost answer
 * makes no second thing of it.
 * @param kept under which the device keeps it, or has kept it: the file goes by this name from then on
 */
export function uploadIdOf(file: Blob, kept?: string): string {
  const id = kept ?? ids.get(file) ?? newId();
  ids.set(file, id);
  return id;
}

/** Whether it has gone by a name already, and so may have been sent. */
export const hasUploadId = (file: Blob): boolean => ids.has(file);
