// What a person types survives a lost session and a sign-out: on this device, under that person's id.

/** `of` names the form: 'reply 12'. Empty when nothing is kept. */
export function loadDraft(userId: string, of: string) {
  try {
    return localStorage.getItem(keyOf(userId, of)) ?? '';
  } catch {
    return '';
  }
}

/** An empty text forgets. Where a browser forbids storage or it is full, the page alone remembers. */
export function saveDraft(userId: string, of: string, text: string) {
  try {
    if (text === '') localStorage.removeItem(keyOf(userId, of));
    else localStorage.setItem(keyOf(userId, of), text);
  } catch {
    return;
  }
}

/** The places of this person's texts whose names begin so; those of nobody else. */
export function draftKeys(userId: string, beginning: string) {
  try {
    const start = keyOf(userId, beginning);
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(keyOf(userId, '').length));
  } catch {
    return [];
  }
}

const keyOf = (userId: string, of: string) => `draft ${userId} ${of}`;
