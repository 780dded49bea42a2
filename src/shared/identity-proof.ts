/** Time for which an entered password or a used passkey proves who is using the session. */
export const IDENTITY_PROOF_LIFETIME_MS = 5 * 60 * 1000;

/**
 * `path` of the issue in a 403 response which means that the user must enter their password or use a passkey
 * again.
 */
export const IDENTITY_PROOF_ISSUE_PATH = 'proof';

export const IDENTITY_PROOF_NEEDED_MESSAGE = 'Please confirm that it’s you, with your password or a passkey.';
