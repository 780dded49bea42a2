import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../limits.ts';

export const CURRENT_PASSWORD_REQUIRED_MESSAGE = 'Please enter your current password.';
export const PASSWORD_TOO_SHORT_MESSAGE = `New password must be at least ${MIN_PASSWORD_LENGTH} characters long.`;
export const PASSWORD_TOO_LONG_MESSAGE = `New password must be at most ${MAX_PASSWORD_LENGTH} characters long.`;
export const PASSWORDS_DO_NOT_MATCH_MESSAGE = 'New password and confirmation do not match.';
export const PASSWORD_UNCHANGED_MESSAGE = 'New password must be different from your current password.';

export const RESET_REQUESTED_MESSAGE =
  "If an account with that email exists, we've sent a password reset link.";
export const RESET_LINK_INVALID_MESSAGE = 'This password reset link is invalid or has expired.';

export const PASSKEYS_NOT_REMOVABLE_MESSAGE =
  'This account requires a passkey, so an emailed link can’t remove its passkeys. Please untick “Remove all passkeys”. If you lost your passkeys, ask whoever runs the server for help.';

/** Lifetime of a reset link, as stated on pages and in emails. */
export const RESET_LINK_TTL_HOURS = 24;
