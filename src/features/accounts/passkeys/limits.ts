export const PASSKEYS_MAX = 10;
export const PASSKEY_NAME_MAX = 60;

/** Leads to the section on the Profile page. */
export const PASSKEYS = 'passkeys';

/** Leads to the form in it. */
export const ADD_PASSKEY = 'add-passkey';

export const PASSKEY_REFUSED = 'This passkey didn’t work. Please try again, or sign in another way.';
export const PASSKEY_ASKED_FOR = 'Please confirm with your passkey.';
export const PASSKEY_OF_ANOTHER = 'This passkey belongs to another account.';
export const TOO_MANY_PASSKEYS = `You can have up to ${PASSKEYS_MAX} passkeys. Please remove one first.`;
export const LAST_ONE_ASKED_FOR =
  'This is your last passkey, and you need one to sign in. Please untick “Ask for my passkey after the password” first.';
