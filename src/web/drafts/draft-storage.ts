import { readLocalStorage, writeLocalStorage } from '../device/local-storage.ts';

// Drafts survive a lost session and a sign-out: they are stored on this device, under the user's id, until
// they are sent or discarded. They do not expire, because nobody can tell whether their author will come back
// to them.

/**
 * Drafts, by key, that the device cannot store because its storage is full or blocked. An empty string is a
 * removed draft.
 */
const unstoredDrafts = new Map<string, string>();

/**
 * Returns the stored draft; null if there is none, or if it is unreadable. `of` names the form: 'reply 12'.
 */
export function loadDraft(userId: string, of: string): object | null {
  const key = getKey(userId, of);
  const text = unstoredDrafts.get(key) ?? readLocalStorage(key);
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Stores a draft; null removes it. Returns false if closing the page would lose the draft. */
export function saveDraft(userId: string, of: string, value: object | null): boolean {
  const key = getKey(userId, of);
  const text = value && JSON.stringify(value);
  if (writeLocalStorage(key, text)) {
    unstoredDrafts.delete(key);
    return true;
  }
  // Keeps the draft in this page's memory. The device still has the earlier draft, which is better than
  // nothing.
  unstoredDrafts.set(key, text ?? '');
  return value === null;
}

/** Returns the names of this user's drafts that start with `beginning`. */
export function listDraftNames(userId: string, beginning: string): string[] {
  const start = getKey(userId, beginning);
  return [...new Set([...listDeviceKeys(), ...unstoredDrafts.keys()])]
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(getKey(userId, '').length));
}

function listDeviceKeys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

const getKey = (userId: string, of: string) => `draft ${userId} ${of}`;
