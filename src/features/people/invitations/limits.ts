/** Maximum rows per request. */
export const MAX_INVITES = 100;

/** Maximum transmission levels per row. */
export const MAX_INVITE_LEVELS = 100;
export const TOO_MANY_LEVELS_MESSAGE = `Please select at most ${MAX_INVITE_LEVELS} transmission levels.`;

export const NO_COMPLETE_INVITE_MESSAGE =
  'Please fill in all fields for at least one invite and select transmission levels.';

/** Maximum number of people in an imported table. */
export const MAX_PEOPLE_IMPORT_ROWS = 1_000;
export const MAX_PEOPLE_IMPORT_BYTES = 5 * 1024 * 1024;
