/** The kinds of mail. */
export const MAIL_KINDS = [
  'credentials',
  'password-reset',
  'password-changed',
  'new-device',
  'feedback-given',
  'recordings-waiting',
] as const;

/** Mails of each sort that are answered; the rest appears once these are settled. */
export const MAILS_SHOWN = 50;
