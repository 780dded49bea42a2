export const TEACHER_MAIL_HIDDEN =
  'Emails to a teacher can’t be read here, because they could let someone else into the account.';

export const MAILS_PAGE_SIZE = 50;

/** Maximum number of emails that one request marks as passed on. */
export const MAX_PASSED_ON = 200;

/** Maximum number of mails that one request sends again. Each one with a password computes a password hash. */
export const MAX_RESENT_MAILS = 20;
