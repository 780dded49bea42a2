/** What a form says at each field that is missing. */
export const MISSING = {
  email: 'Email is required',
  firstName: 'First name is required',
  lastName: 'Last name is required',
  transmissionLevels: 'At least one transmission level is required',
} as const;

export const INCOMPLETE_USER = 'Please fill in all fields and select at least one transmission level.';

/** Users whom one request changes, and levels that it grants or revokes. */
export const MANY_USERS_MAX = 100;

/** Users in a page of the list. */
export const USERS_PAGE = 100;
