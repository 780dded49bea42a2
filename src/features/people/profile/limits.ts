export const MAX_USERNAME_LENGTH = 100;

/** Anchor of the form on the Profile page in which a teacher changes her name. */
export const OWN_NAME_ANCHOR = 'your-name';

/** Anchor of the section on the Profile page in which students download their data. */
export const OWN_DATA_ANCHOR = 'your-data';

export const INVALID_USERNAME_MESSAGE = `Please use up to ${MAX_USERNAME_LENGTH} letters, digits, dots, dashes and underscores.`;
export const FIRST_NAME_REQUIRED_MESSAGE = 'Please enter a first name.';
