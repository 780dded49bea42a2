import type { Me } from '../../../features/users/contract.ts';

// Who was signed in on this device: without a connection nobody else can tell. It opens the pages and what lies on the
// device under that person's id; whatever comes from the server still asks for the session.

const KEY = 'last user';

export function rememberUser(user: Me | null) {
  try {
    if (user) localStorage.setItem(KEY, JSON.stringify(user));
    else localStorage.removeItem(KEY);
  } catch {
    return;
  }
}

export function lastUser(): Me | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Me | null;
  } catch {
    return null;
  }
}
