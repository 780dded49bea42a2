import { newId } from '../../../platform/web/takes/new-id.ts';

const ids = new WeakMap<Blob, string>();

/**
 * The same for one take however often it is sent, so that a retry after a lost connection makes no second recording.
 * @param kept under which the device keeps it, or has kept it: the sound goes by this name from then on
 */
export function clientIdOf(take: Blob, kept?: string): string {
  const id = kept ?? ids.get(take) ?? newId();
  ids.set(take, id);
  return id;
}

/** Whether it has gone by a name already, and so may have been sent. */
export const hasClientId = (take: Blob): boolean => ids.has(take);
