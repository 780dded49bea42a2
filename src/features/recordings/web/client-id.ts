import { newId } from '../../../platform/web/takes/new-id.ts';

const ids = new WeakMap<Blob, string>();

/** The same for one take however often it is sent, so that a retry after a lost line makes no second recording. */
export function clientIdOf(take: Blob): string {
  const id = ids.get(take) ?? newId();
  ids.set(take, id);
  return id;
}
