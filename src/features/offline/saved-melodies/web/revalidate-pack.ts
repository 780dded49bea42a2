import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import type { PackManifest, PackMelody } from '../contract.ts';
import { MAX_MANIFEST_MELODIES } from '../limits.ts';
import { createLease } from './lease.ts';
import type { PackEntryId, PackStore } from './pack-store.ts';

const TIMEOUT_MS = 8_000;

/**
 * 'gone': there is no pack, or the pack has just been deleted. 'unreachable': the server could not be reached,
 * so the pack may be used until its lease ends.
 */
export type PackRevalidationResult = 'checked' | 'gone' | 'unreachable';

type AllowedEntry = Omit<PackMelody, 'id'> & { id: PackEntryId };

/**
 * Fetches the list of entries that the pack may still contain, deletes the others, and renews the lease.
 * Deletes the whole pack if the session has ended or belongs to another user.
 */
export async function revalidatePack(store: PackStore): Promise<PackRevalidationResult> {
  const owner = await store.findOwner();
  if (!owner) return 'gone';
  const storedIds = (await store.listEntries()).map(({ id }) => id);
  const ids = storedIds.filter((id) => id !== 'own');
  const own = storedIds.length > ids.length;
  const allowed: AllowedEntry[] = [];
  let first: PackManifest | null = null;
  // Sends a request even for an empty pack, to renew its lease.
  for (let from = 0; from === 0 || from < ids.length; from += MAX_MANIFEST_MELODIES) {
    const answer = await fetchManifest(
      owner.userId,
      ids.slice(from, from + MAX_MANIFEST_MELODIES),
      own && from === 0,
    );
    if (answer === 'not this user') {
      await store.shred();
      return 'gone';
    }
    if (answer === null) return 'unreachable';
    first ??= answer;
    allowed.push(...answer.melodies);
    if (answer.own) allowed.push({ id: 'own', ...answer.own });
  }
  await store.update(owner, storedIds, allowed, createLease(first!, Date.now()));
  return 'checked';
}

async function fetchManifest(
  userId: string,
  ids: readonly number[],
  own: boolean,
): Promise<PackManifest | 'not this user' | null> {
  try {
    const answer = await fetch(`/api/pack?melodies=${ids.join(',')}${own ? '&own=yes' : ''}`, {
      headers: { [EXPECTED_USER_HEADER]: userId },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status === 401 || answer.status === 412) return 'not this user';
    // A captive portal returns its own page with status 200. Parsing the page as JSON throws, so the server
    // counts as unreachable.
    return answer.ok ? ((await answer.json()) as PackManifest) : null;
  } catch {
    return null;
  }
}
