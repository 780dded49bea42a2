// Stores the page that the user was on when the session ended, and the message for the sign-in page. Both last
// as long as the tab.

const STORAGE_KEY = 'way back';

/**
 * @param note message for the sign-in page. It must not contain anything private, because somebody else at the
 * device may read it.
 */
export function storeReturnPath(
  { pathname, search }: { pathname: string; search: string } = location,
  note = '',
) {
  try {
    sessionStorage.setItem(STORAGE_KEY, `${pathname}${search}\n${note}`);
  } catch {
    return;
  }
}

/** Returns the stored path and query, and removes them and the message; null if none are stored. */
export function consumeReturnPath(): string | null {
  const [place] = readStored();
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    return null;
  }
  return place ?? null;
}

/** Returns the message for the sign-in page; undefined if none is stored. */
export const getSignInNote = () => readStored()[1];

/**
 * Returns the path and the message. They are stored with a line break between them, because a path can't
 * contain one.
 */
function readStored() {
  try {
    return sessionStorage.getItem(STORAGE_KEY)?.split('\n') ?? [];
  } catch {
    return [];
  }
}
