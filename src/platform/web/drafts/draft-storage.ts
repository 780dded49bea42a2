// What a person types survives a lost session and a sign-out: on this device, under that person's id, until it is sent
// or given up. It does not expire: no clock knows whether somebody comes back to it.

/** As it was kept; text where an older version kept no JSON. */
export type Kept = object | string;

/** What a device that is full, or forbids storage, does not take: the page alone remembers it. Empty when forgotten. */
const inPage = new Map<string, string>();

/** `of` names the form: 'reply 12'. Null when nothing is kept. */
export function loadDraft(userId: string, of: string): Kept | null {
  const text = textAt(keyOf(userId, of));
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // No JSON: the text itself.
  }
  return text;
}

/** Null forgets. @returns whether nothing of it would go with the page */
export function saveDraft(userId: string, of: string, value: object | null): boolean {
  const key = keyOf(userId, of);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    inPage.delete(key);
    return true;
  } catch {
    // What the device had before stays there; it is older, and better than nothing.
    inPage.set(key, value === null ? '' : JSON.stringify(value));
    return value === null;
  }
}

/** The names of this person's drafts that begin so; of nobody else's. */
export function draftNames(userId: string, beginning: string): string[] {
  const start = keyOf(userId, beginning);
  return [...new Set([...keysOnDevice(), ...inPage.keys()])]
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(keyOf(userId, '').length));
}

function textAt(key: string) {
  try {
    return inPage.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keysOnDevice() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

const keyOf = (userId: string, of: string) => `draft ${userId} ${of}`;
