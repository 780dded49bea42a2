export const USERNAME_MAX = 100;

/** Leads to the form for a teacher's own name on the Profile page. */
export const OWN_NAME = 'your-name';

/** Leads to a student's download on the Profile page. */
export const OWN_DATA = 'your-data';

export const ODD_USERNAME = `Please use up to ${USERNAME_MAX} letters, digits, dots, dashes and underscores.`;
export const FIRST_NAME_MISSING = 'Please enter a first name.';
