// Where one was when the session ended, and what the sign-in page says of it, for as long as the tab is open.

const KEY = 'way back';
const NOTE_KEY = 'said at sign-in';

export const rememberPlace = ({ pathname, search }: { pathname: string; search: string } = location) =>
  keep(KEY, pathname + search);

/** The path and query, once; null if no session has ended here. */
export function takePlace(): string | null {
  const place = kept(KEY);
  keep(KEY, null);
  keep(NOTE_KEY, null);
  return place;
}

/** @param sentence somebody else at the device may read it */
export const rememberNote = (sentence: string) => keep(NOTE_KEY, sentence);

export const noteAtSignIn = (): string | null => kept(NOTE_KEY);

function keep(key: string, text: string | null) {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    return;
  }
}

function kept(key: string) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
