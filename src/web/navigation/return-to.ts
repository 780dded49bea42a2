// The page that the user was on when the session ended, and the message for the sign-in page. Both last as long as
// the tab.

const KEY = 'way back';

/** @param note a message, which somebody else at the device may read */
export function rememberPlace(
  { pathname, search }: { pathname: string; search: string } = location,
  note = '',
) {
  try {
    sessionStorage.setItem(KEY, `${pathname}${search}\n${note}`);
  } catch {
    return;
  }
}

/** Returns the path and query, once; null if no session has ended here. */
export function takePlace(): string | null {
  const [place] = remembered();
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    return null;
  }
  return place ?? null;
}

/** Returns the message for the sign-in page. */
export const noteAtSignIn = () => remembered()[1];

/** Returns the place and the note, which are stored with a line break between them, because a path contains none. */
function remembered() {
  try {
    return sessionStorage.getItem(KEY)?.split('\n') ?? [];
  } catch {
    return [];
  }
}
