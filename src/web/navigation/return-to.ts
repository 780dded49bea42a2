// Where one was when the session ended, and what the sign-in page says then, for as long as the tab is open.

const KEY = 'way back';

/** @param note a sentence, which somebody else at the device may read */
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

/** The path and query, once; null if no session has ended here. */
export function takePlace(): string | null {
  const [place] = remembered();
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    return null;
  }
  return place ?? null;
}

/** What there is to say where one signs in again. */
export const noteAtSignIn = () => remembered()[1];

/** A path has no line breaks. */
function remembered() {
  try {
    return sessionStorage.getItem(KEY)?.split('\n') ?? [];
  } catch {
    return [];
  }
}
