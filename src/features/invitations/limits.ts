/** Rows that one call may send. */
export const INVITES_MAX = 100;

export const NO_COMPLETE_INVITE =
  'Please fill in all fields for at least one invite and select transmission levels.';
