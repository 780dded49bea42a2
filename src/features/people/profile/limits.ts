export const MAX_USERNAME_LENGTH = 100;

/** Anchor of the form for a teacher's own name on the Profile page. */
export const OWN_NAME_ANCHOR = 'your-name';

/** Anchor of a student's download on the Profile page. */
export const OWN_DATA_ANCHOR = 'your-data';

export const INVALID_USERNAME_MESSAGE = `Please use up to ${MAX_USERNAME_LENGTH} letters, digits, dots, dashes and underscores.`;
export const FIRST_NAME_REQUIRED_MESSAGE = 'Please enter a first name.';
