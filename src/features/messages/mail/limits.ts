export const HIDDEN_FROM_ALL =
  'Emails to a teacher can’t be read here, because they could let someone else into the account.';

export const MAILS_PAGE = 50;

/** Maximum number of emails that one request marks as passed on. */
export const PASSED_ON_MAX = 200;

/** Maximum number of mails that one request sends again. Each one with a password computes a password hash. */
export const MAILS_AT_ONCE = 20;
