export const SUBMITTED = 'Your recording has been submitted to the teacher!';
export const FAILED = 'Failed to submit recording. Please try again.';

/** A closed page sends nothing; and Safari forgets what a page keeps when it has not been opened for seven days. */
export const openAgain = (appName: string) =>
  `Open ${appName} again when you have a connection, within a week.`;

/** The program broke: nothing that the connection or the server could mend. */
export const faultHere = (appName: string) =>
  `Something went wrong in ${appName} on this device; your recording is kept here. Please reload the page, and tell your teacher if this keeps happening.`;
