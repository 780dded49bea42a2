import type { Me } from '../../../features/users/contract.ts';

// The user who was last signed in on this device, which only the device can tell without a connection. Opens the pages,
// and what is stored on the device under that user's id; everything from the server still requires the session.

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
