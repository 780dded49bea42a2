// Storage throws where a browser forbids it; then a choice lasts as long as the page.

/** What was chosen on this device under this key; null if nothing was. */
export function choiceOnDevice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keepOnDevice(key: string, chosen: string): void {
  try {
    localStorage.setItem(key, chosen);
  } catch {
    return;
  }
}
