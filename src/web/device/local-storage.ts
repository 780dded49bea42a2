// localStorage throws if it is full or blocked by the browser; these functions don't. A value that can't be
// stored is lost when the page is closed.

/** Returns the value stored under this key; null if there is none, or if the browser blocks storage. */
export function readLocalStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Returns the parsed value; null if there is none, or if it is not JSON, for example because the user has
 * edited it.
 */
export function readLocalStorageJson(key: string): unknown {
  try {
    return JSON.parse(readLocalStorage(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. Returns whether that worked. */
export function writeLocalStorage(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
