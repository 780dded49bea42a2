export const USERNAME_MAX = 100;

export const ODD_USERNAME = `Please use up to ${USERNAME_MAX} letters, digits, dots, dashes and underscores.`;
export const FIRST_NAME_MISSING = 'Please enter a first name.';
