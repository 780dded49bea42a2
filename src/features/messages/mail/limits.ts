export const TEACHER_MAIL_HIDDEN_MESSAGE =
  'Emails to a teacher can’t be read here, because they could let someone else into the account.';

export const EMAILS_PAGE_SIZE = 50;

/** Maximum number of emails that one request marks as passed on. */
export const MAX_PASSED_ON_EMAILS_PER_CALL = 200;

/**
 * Maximum number of emails that one request resends. It is low, because each email with a password needs a slow
 * password hash.
 */
export const MAX_RESENT_EMAILS_PER_CALL = 20;
