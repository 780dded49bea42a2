import { PASSWORD_MAX, PASSWORD_MIN } from '#features/accounts/limits.ts';
import { CURRENT_REQUIRED, NOT_DIFFERENT, TOO_LONG, TOO_SHORT } from '../limits.ts';

export const NO_MATCH = 'New password and confirmation do not match.';

export type Problems = { currentPassword?: string; newPassword?: string; confirmation?: string };

/** Validates a new password that was typed twice; the server does so again. */
export function problemsOfNew(newPassword: string, confirmation: string): Problems {
  if (newPassword.length < PASSWORD_MIN) return { newPassword: TOO_SHORT };
  if (newPassword.length > PASSWORD_MAX) return { newPassword: TOO_LONG };
  return newPassword === confirmation ? {} : { confirmation: NO_MATCH };
}

/** In the order of the fields. */
export function problemsOfChange(current: string, newPassword: string, confirmation: string): Problems {
  return {
    ...(current === '' ? { currentPassword: CURRENT_REQUIRED } : {}),
    ...problemsOfNew(newPassword, confirmation),
    ...(current !== '' && newPassword === current ? { newPassword: NOT_DIFFERENT } : {}),
  };
}

/** The values of a form's password fields, untrimmed: spaces are part of a password. */
export function typedIn(form: HTMLFormElement) {
  const typed = new FormData(form);
  const text = (name: string) => {
    const value = typed.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    currentPassword: text('currentPassword'),
    newPassword: text('newPassword'),
    confirmation: text('confirmation'),
  };
}

export function focusFirst(form: HTMLFormElement | null, problems: Problems) {
  const [first] = Object.keys(problems);
  if (first) form?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
}
