/** Error at each missing field of a form. */
export const MISSING = {
  email: 'Email is required',
  firstName: 'First name is required',
  lastName: 'Last name is required',
  transmissionLevels: 'At least one transmission level is required',
} as const;

export const INCOMPLETE_USER = 'Please fill in all fields and select at least one transmission level.';

/** Maximum users, and maximum levels, per bulk change. */
export const MANY_USERS_MAX = 100;

/** Users per page. */
export const USERS_PAGE = 100;
