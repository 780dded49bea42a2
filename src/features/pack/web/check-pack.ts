import { EXPECTED_USER_HEADER } from '../../../platform/contract/expected-user.ts';
import type { PackManifest, PackMelody } from '../contract.ts';
import { MANIFEST_MAX } from '../limits.ts';
import { leaseFrom } from './lease.ts';
import type { PackStore } from './pack-store.ts';

const PATIENCE_MS = 8_000;

/** 'gone': there is no pack (any more). 'unreachable': the server was not asked, and the lease alone counts. */
export type Checked = 'checked' | 'gone' | 'unreachable';

/** As they come over the wire. */
type Answered = Omit<PackManifest, 'melodies'> & { melodies: PackMelody[] };

/**
 * Asks the server what of the pack may be kept, and deletes the rest; all of it when the session has ended or is
 * somebody else's. Renews the lease.
 */
export async function checkPack(store: PackStore): Promise<Checked> {
  const owner = await store.owner();
  if (!owner) return 'gone';
  const asked = (await store.entries()).map(({ id }) => id);
  const melodies: PackMelody[] = [];
  let first: Answered | null = null;
  // Once more than there are full batches: an empty pack asks too.
  for (let from = 0; from === 0 || from < asked.length; from += MANIFEST_MAX) {
    const answer = await ask(owner.userId, asked.slice(from, from + MANIFEST_MAX));
    if (answer === 'not this user') {
      await store.shred();
      return 'gone';
    }
    if (answer === null) return 'unreachable';
    first ??= answer;
    melodies.push(...answer.melodies);
  }
  await store.update(owner, asked, melodies, leaseFrom(first!, Date.now()));
  return 'checked';
}

async function ask(userId: string, ids: readonly number[]): Promise<Answered | 'not this user' | null> {
  try {
    const answer = await fetch(`/api/pack?melodies=${ids.join(',')}`, {
      headers: { [EXPECTED_USER_HEADER]: userId },
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.status === 401 || answer.status === 412) return 'not this user';
    // A foreign network's own page says 200 to anything.
    return answer.ok ? ((await answer.json()) as Answered) : null;
  } catch {
    return null;
  }
}
