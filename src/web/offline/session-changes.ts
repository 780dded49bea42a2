// Detects sign-ins and sign-outs in this browser, for the service worker.

const SIGN_OUT_PATH = '/api/logout';

/** Matches the paths of all calls that sign somebody in and return the user. */
export const SIGN_IN_PATH_PATTERN = /^\/api\/(login|sign-in\/(one-time|passkey))$/;

/**
 * Fetches a request that signs in or out, and calls `onUser` before the response reaches the page: with the id
 * of the user who is now signed in, or with null after a sign-out. A link to /api/logout is not one of these
 * requests: the server may reject it, and only the next page shows whether the session has ended.
 * @returns null for any other request
 */
export function interceptSessionChange(
  request: Request,
  onUser: (userId: string | null) => Promise<unknown>,
): Promise<Response> | null {
  const { pathname } = new URL(request.url);
  const signsIn = SIGN_IN_PATH_PATTERN.test(pathname);
  if (request.method !== 'POST' || !(signsIn || pathname === SIGN_OUT_PATH)) return null;
  return (async () => {
    const answer = await fetch(request);
    if (!answer.ok) return answer;
    try {
      await onUser(signsIn ? ((await answer.clone().json()) as { id: string }).id : null);
    } catch {
      // Ignored: without storage there is no data to clear, and a response that isn't JSON isn't from the
      // server.
    }
    return answer;
  })();
}
