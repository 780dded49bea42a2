export const MAX_NAME_LENGTH = 100;

export const EMAIL_REQUIRED_MESSAGE = 'Please enter your email address.';

export const MIN_PASSWORD_LENGTH = 6;
export const MAX_PASSWORD_LENGTH = 128;

/** Number of days after which a student's issued password expires if it has not been used. */
export const ISSUED_PASSWORD_TTL_DAYS = 14;
export const ISSUED_PASSWORD_EXPIRED_MESSAGE = `This password has expired, because it was not used within ${ISSUED_PASSWORD_TTL_DAYS} days. Please ask your teacher for a new one.`;

/** @param issuedAt null if the password has been used or the user chose it */
export const isIssuedPasswordExpired = (issuedAt: Date | null, now: Date) =>
  issuedAt !== null && now.getTime() - issuedAt.getTime() > ISSUED_PASSWORD_TTL_DAYS * 24 * 60 * 60 * 1000;
