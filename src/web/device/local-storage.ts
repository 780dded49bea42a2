// localStorage throws if the browser forbids it or it is full. A value that could not be stored lasts as long as the
// page.

/** Returns null if nothing is stored under this key. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns null if the stored value is not JSON; users can edit it. */
export function readLocalJson(key: string): unknown {
  try {
    return JSON.parse(readLocal(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. @returns whether that worked */
export function writeLocal(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
