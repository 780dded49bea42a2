import { PENDING_SIGN_OUT_COOKIE } from '#shared/pending-sign-out-cookie.ts';
import { callApi } from '../api/call.ts';
import { waitForReturnOrReconnect } from '../uploads/on-return-or-reconnect.ts';

// Completes a sign-out that has not reached the server. Only the server can end a session, because scripts
// can't access the session cookie. A second cookie makes the server end the session before it handles the
// next request.

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const RETRY_AFTER_MS = 10_000;

export const setPendingSignOut = (userId: string) => setCookie(userId, YEAR_SECONDS);

export const clearPendingSignOut = () => setCookie('', 0);

/** Returns the id of the user whose session has yet to end on the server, or null. */
export function getPendingSignOutUserId(): string | null {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='));
  return pairs.find(([name]) => name === PENDING_SIGN_OUT_COOKIE)?.[1] || null;
}

let isTrying = false;

/** Retries until the server has ended the session. */
export async function completePendingSignOut(): Promise<void> {
  if (isTrying) return;
  isTrying = true;
  const { signal } = new AbortController();
  try {
    for (let userId = getPendingSignOutUserId(); userId !== null; userId = getPendingSignOutUserId()) {
      // Sets the cookie again, because Safari deletes cookies set by scripts after seven days.
      setPendingSignOut(userId);
      // Any request will do, because the server ends the session before it responds.
      await callApi('GET /api/health').catch(() => undefined);
      if (getPendingSignOutUserId() !== null) await waitForReturnOrReconnect(RETRY_AFTER_MS, signal);
    }
  } finally {
    isTrying = false;
  }
}

function setCookie(value: string, seconds: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${PENDING_SIGN_OUT_COOKIE}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}
