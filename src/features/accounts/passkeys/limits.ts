export const PASSKEYS_MAX = 10;
export const PASSKEY_NAME_MAX = 60;

export const PASSKEY_REFUSED = 'This passkey did not work. Please try again, or use another way.';
export const PASSKEY_ASKED_FOR = 'Please confirm with your passkey.';
export const PASSKEY_OF_ANOTHER = 'This passkey belongs to another account.';
export const TOO_MANY_PASSKEYS = `An account has at most ${PASSKEYS_MAX} passkeys. Please remove one first.`;
export const LAST_ONE_ASKED_FOR =
  'This is the last passkey, and you are asked for one after the password. Please switch that off first.';
