/** Names the user in whose name a page calls: one browser has one cookie for all its tabs, and another may have changed it. */
export const EXPECTED_USER_HEADER = 'x-expected-user';

const OTHER_USER = 'Somebody else has signed in in this browser.';

/** For a call that would send something in the name of whoever is signed in now. */
export const OTHER_USER_SENDS = `${OTHER_USER} Sign in again to send it.`;

/** For a call that would show what is theirs. */
export const OTHER_USER_READS = `${OTHER_USER} Sign in again to go on.`;
