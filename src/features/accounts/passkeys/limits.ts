export const MAX_PASSKEYS = 10;
export const MAX_PASSKEY_NAME_LENGTH = 60;

/** Anchor of the passkeys section on the Profile page. */
export const PASSKEYS_ANCHOR = 'passkeys';

/** Anchor of the form for adding a passkey in that section. */
export const ADD_PASSKEY_ANCHOR = 'add-passkey';

export const PASSKEY_FAILED_MESSAGE = 'This passkey didn’t work. Please try again, or sign in another way.';
export const PASSKEY_REQUIRED_MESSAGE = 'Please confirm with your passkey.';
export const PASSKEY_OF_OTHER_USER_MESSAGE = 'This passkey belongs to another account.';
export const TOO_MANY_PASSKEYS_MESSAGE = `You can have up to ${MAX_PASSKEYS} passkeys. Please remove one first.`;
export const LAST_PASSKEY_REQUIRED_MESSAGE =
  'This is your last passkey, and you need one to sign in. Please untick “Ask for my passkey after the password” first.';
