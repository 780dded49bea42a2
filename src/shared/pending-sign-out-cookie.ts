/**
 * Cookie that a page sets when it signs out while the server can't be reached. Its value is the user's id. The
 * browser sends it with every later request, and the server then ends this user's session before it does
 * anything else.
 */
export const PENDING_SIGN_OUT_COOKIE = 'signed-out';
