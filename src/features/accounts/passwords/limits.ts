import { PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts';

export const CURRENT_REQUIRED = 'Please enter your current password.';
export const TOO_SHORT = `New password must be at least ${PASSWORD_MIN} characters long.`;
export const TOO_LONG = `New password must be at most ${PASSWORD_MAX} characters long.`;
export const NO_MATCH = 'New password and confirmation do not match.';
export const NOT_DIFFERENT = 'New password must be different from your current password.';

export const RESET_REQUESTED = "If an account with that email exists, we've sent a password reset link.";
export const LINK_INVALID = 'This password reset link is invalid or has expired.';

export const PASSKEYS_STAY =
  'This account requires a passkey, so an emailed link can’t remove its passkeys. Please untick “Remove all passkeys”. If you lost your passkeys, ask whoever runs the server for help.';

/** Lifetime of a mailed link, as stated on pages and in mails. */
export const RESET_LINK_HOURS = 24;
