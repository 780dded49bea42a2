/** Time for which an entered password or a used passkey proves who is using a session. */
export const PROOF_LIFETIME_MS = 5 * 60 * 1000;

/** Path of the issue that makes a page ask for a password or a passkey. */
export const PROOF_ISSUE = 'proof';

export const PROOF_NEEDED_MESSAGE = 'Please confirm that it’s you, with your password or a passkey.';
