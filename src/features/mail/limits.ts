/** The kinds of mail. */
export const MAIL_KINDS = [
  'credentials',
  'password-reset',
  'password-changed',
  'new-device',
  'sign-in-link',
  'passkey-added',
  'passkey-removed',
  'feedback-given',
  'recordings-waiting',
] as const;

export const MAILS_PAGE = 50;
