/** How long a password or a passkey counts as proof of who uses a session. */
export const FRESH_PROOF_MS = 5 * 60 * 1000;

/** The path of the issue by which a page knows that it has to ask for a password or a passkey. */
export const PROOF_ISSUE = 'proof';

export const PROOF_NEEDED = 'Please confirm that it’s you, with your password or a passkey.';
