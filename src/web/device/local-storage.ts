// localStorage throws if the browser forbids it or it is full. What was not stored lasts as long as the page.

/** Null if nothing is stored under this key. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null if what is stored under this key is not JSON, which anyone can have edited. */
export function readLocalJson(key: string): unknown {
  try {
    return JSON.parse(readLocal(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Null removes what is stored. @returns whether that worked */
export function writeLocal(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
