import { FILE_DAMAGED } from '../../contract/media.ts';
import { loseSession } from '../lost-session.ts';

/** Whether a file is available to this user, is not (any more), is damaged, or can't be checked at present. */
export type Reach = 'there' | 'gone' | 'damaged' | 'unreachable';

const PATIENCE_MS = 8_000;

/** An `<audio>` reports a lost connection and a refused file alike. Requesting one byte tells them apart. */
export async function reachOf(address: string): Promise<Reach> {
  try {
    const answer = await fetch(address, {
      headers: { range: 'bytes=0-0' },
      cache: 'no-store',
      // To where sound is fetched from, which a script may not: it is there, and this user may have it.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.status === 503) return (await saysDamaged(answer)) ? 'damaged' : 'unreachable';
    await answer.body?.cancel();
    if (answer.status === 401) loseSession();
    if (answer.ok || answer.type === 'opaqueredirect') return 'there';
    return answer.status >= 500 || answer.status === 401 || answer.status === 429 ? 'unreachable' : 'gone';
  } catch {
    return 'unreachable';
  }
}

/** A proxy's 503 has a different body. */
async function saysDamaged(answer: Response): Promise<boolean> {
  const { message } = (await answer.json()) as { message?: unknown };
  return message === FILE_DAMAGED;
}
