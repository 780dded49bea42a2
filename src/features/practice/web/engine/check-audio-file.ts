import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import { isConnectionError, logUnexpectedError, parseErrorBody } from '#web/api/call.ts';
import { handleLostSession } from '#web/api/lost-session.ts';

/**
 * Result of checking a file. 'gone': missing, or not allowed for this user. 'unreachable': can't be checked
 * now. 'fault': can't be checked because of a bug.
 */
export type AudioFileStatus = 'there' | 'gone' | 'damaged' | 'unreachable' | 'fault';

const TIMEOUT_MS = 8_000;

/**
 * Checks a file by requesting one byte, because an `<audio>` element reports the same error for a lost
 * connection and for a missing file.
 */
export async function checkAudioFile(address: string): Promise<AudioFileStatus> {
  const init: RequestInit = {
    headers: { range: 'bytes=0-0' },
    cache: 'no-store',
    // Doesn't follow redirects, because they lead to the file store, which scripts may not read. A redirect
    // itself proves that the file exists and that the user may hear it.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  try {
    const answer = await fetch(address, init);
    if (answer.status === 503) return (await isDamaged(answer)) ? 'damaged' : 'unreachable';
    await answer.body?.cancel();
    if (answer.status === 401) handleLostSession();
    if (answer.ok || answer.type === 'opaqueredirect') return 'there';
    return answer.status >= 500 || answer.status === 401 || answer.status === 429 ? 'unreachable' : 'gone';
  } catch (error) {
    if (isConnectionError(error, init)) return 'unreachable';
    logUnexpectedError(error);
    return 'fault';
  }
}

/** Returns whether the server reported a damaged file. A proxy's 503 has a different body. */
async function isDamaged(answer: Response): Promise<boolean> {
  const { message } = parseErrorBody(await answer.text()) ?? {};
  return message === FILE_DAMAGED_MESSAGE;
}
