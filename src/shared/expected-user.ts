/**
 * Header with the id of the user whose page sends the request. It is needed because all tabs of a browser share
 * one session cookie, and another tab may have changed it.
 */
export const EXPECTED_USER_HEADER = 'x-expected-user';

const OTHER_USER = 'Someone else has signed in on this browser.';

/** Error message for a write that would be made as a user other than the page's. */
export const WRONG_USER_ON_WRITE_MESSAGE = `${OTHER_USER} Sign in again to send it.`;

/** Error message for a read that would return the data of a user other than the page's. */
export const WRONG_USER_ON_READ_MESSAGE = `${OTHER_USER} Sign in again to continue.`;
