import { call, CallError } from './call.ts';
import { lastUser } from './offline/last-user.ts';

export const OTHER_USER_SIGNED_IN = 'Somebody else has signed in in this browser. Sign in again to send it.';

/** Another tab has signed somebody else in; the cookie is one for all, so what is sent now would go out in that name. */
export class OtherUserError extends CallError {
  constructor() {
    super(403, JSON.stringify({ message: OTHER_USER_SIGNED_IN }));
  }
}

/** Whose place somebody else has taken, as far as the server has said. */
let ousted: string | null = null;

/**
 * Makes sure that the page's user is still the one who is signed in; asked before what goes out in this person's name.
 * @throws {OtherUserError}
 * @throws {CallError} when nobody is signed in, or no answer comes
 */
export async function confirmSessionUser(userId: string, signal?: AbortSignal): Promise<void> {
  const { id } = await call('GET /api/user', { signal });
  ousted = id === userId ? null : userId;
  if (ousted) throw new OtherUserError();
}

/** The same without asking, for a page that may be gone before an answer comes. */
export function checkKnownUser(userId: string): void {
  const last = lastUser()?.id ?? userId;
  if (last !== userId || ousted === userId) throw new OtherUserError();
}
