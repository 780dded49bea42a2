import { FILE_DAMAGED } from '#shared/media.ts';
import { isLost, noteFault, parsedError } from '#web/api/call.ts';
import { loseSession } from '#web/api/lost-session.ts';

/** Whether a file is available to this user, is not (any more), is damaged, can't be checked at present, or at all. */
export type Reach = 'there' | 'gone' | 'damaged' | 'unreachable' | 'fault';

const PATIENCE_MS = 8_000;

/** An `<audio>` reports a lost connection and a refused file alike. Requesting one byte tells them apart. */
export async function reachOf(address: string): Promise<Reach> {
  const init: RequestInit = {
    headers: { range: 'bytes=0-0' },
    cache: 'no-store',
    // To where sound is fetched from, which a script may not: it is there, and this user may have it.
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  try {
    const answer = await fetch(address, init);
    if (answer.status === 503) return (await saysDamaged(answer)) ? 'damaged' : 'unreachable';
    await answer.body?.cancel();
    if (answer.status === 401) loseSession();
    if (answer.ok || answer.type === 'opaqueredirect') return 'there';
    return answer.status >= 500 || answer.status === 401 || answer.status === 429 ? 'unreachable' : 'gone';
  } catch (error) {
    if (isLost(error, init)) return 'unreachable';
    noteFault(error);
    return 'fault';
  }
}

/** A proxy's 503 has a different body. */
async function saysDamaged(answer: Response): Promise<boolean> {
  const { message } = parsedError(await answer.text()) ?? {};
  return message === FILE_DAMAGED;
}
