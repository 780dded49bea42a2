/** Maximum rows per request. */
export const INVITES_MAX = 100;

/** Maximum transmission levels per row. */
export const INVITE_LEVELS_MAX = 100;
export const TOO_MANY_LEVELS = `Please select at most ${INVITE_LEVELS_MAX} transmission levels.`;

export const NO_COMPLETE_INVITE =
  'Please fill in all fields for at least one invite and select transmission levels.';

/** Limits for an imported table: its rows, and the size of its file in bytes. */
export const IMPORT_ROWS_MAX = 1_000;
export const IMPORT_BYTES_MAX = 5 * 1024 * 1024;
