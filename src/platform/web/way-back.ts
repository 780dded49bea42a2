// Where one was when the session ended, for as long as the tab is open.

const KEY = 'way back';

export function rememberPlace({ pathname, search }: { pathname: string; search: string } = location) {
  try {
    sessionStorage.setItem(KEY, pathname + search);
  } catch {
    return;
  }
}

/** The path and query, once; null if no session has ended here. */
export function takePlace(): string | null {
  try {
    const place = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return place;
  } catch {
    return null;
  }
}
