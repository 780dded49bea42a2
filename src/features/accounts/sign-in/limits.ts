/** Lifetime of an emailed link and of a code, as stated on pages and in emails. */
export const SIGN_IN_TOKEN_TTL_MINUTES = 10;

export const USERNAME_REQUIRED_MESSAGE = 'Username is required';
export const PASSWORD_REQUIRED_MESSAGE = 'Password is required';

export const SIGN_IN_LINK_REQUESTED_MESSAGE =
  'If there is an account with that username or email, we’ve sent a link to its email address.';
export const SIGN_IN_LINK_INVALID_MESSAGE =
  'This link has already been used, or is more than 10 minutes old.';
export const SIGN_IN_CODE_INVALID_MESSAGE = 'This code is wrong, already used or expired.';

/**
 * Returns the URL that an emailed link or a code's QR code opens. The token is in the fragment, which is never
 * sent to a server and so appears in no log.
 */
export const buildSignInUrl = (origin: string | URL, kind: 'link' | 'code', token: string) => {
  const address = new URL('/auth', origin);
  address.hash = `${kind}=${token}`;
  return address.href;
};

export const MAX_LISTED_CODE_SIGN_INS = 20;
