/** Error messages for missing fields, each shown at its field. */
export const MISSING_USER_FIELD_MESSAGES = {
  email: 'Email is required',
  firstName: 'First name is required',
  lastName: 'Last name is required',
  transmissionLevels: 'At least one transmission level is required',
} as const;

export const INCOMPLETE_USER_MESSAGE =
  'Please fill in all fields and select at least one transmission level.';

/** Maximum number of users, and of levels, in one bulk change. */
export const MAX_BULK_USERS = 100;

/** Users per page. */
export const USERS_PAGE_SIZE = 100;
