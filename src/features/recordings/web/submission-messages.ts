export const SUBMITTED = 'Your recording has been submitted to the teacher!';
export const FAILED = 'Failed to submit recording. Please try again.';

/** Shown on the sign-in page, where somebody else may read it, so it names nobody. */
export const SAFE_UNTIL_SIGNED_IN =
  'The recording that was being sent is safe on this device. It goes to the teacher once the person who made it has signed in again.';

/** A closed page sends nothing, and Safari deletes a site's stored data if it has not been opened for seven days. */
export const openAgain = (appName: string) =>
  `Open ${appName} again when you have a connection, within a week.`;

/** Shown for a bug in the program, not for a problem with the connection or the server. */
export const faultHere = (appName: string) =>
  `Something went wrong in ${appName} on this device; your recording is kept here. Please reload the page, and tell your teacher if this keeps happening.`;
