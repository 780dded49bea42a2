export const SUBMISSION_SUCCEEDED_MESSAGE = 'Your recording has been submitted to the teacher!';
export const SUBMISSION_FAILED_MESSAGE = 'Failed to submit recording. Please try again.';

/** Shown on the sign-in page, where somebody else may read it, so it names nobody. */
export const SAFE_UNTIL_SIGN_IN_MESSAGE =
  'An unsent recording is safe on this device. It will be sent when the person who made it signs in again.';

/**
 * Returns the message that asks the user to open the app again, because a closed page sends nothing, and Safari
 * deletes a site's stored data if the site has not been opened for seven days.
 */
export const getOpenAgainMessage = (appName: string) =>
  `Keep ${appName} open, or open it again within a week, and it will be sent.`;

/** Returns the message for a bug in the program, not for a problem with the connection or the server. */
export const getSendingFaultMessage = (appName: string) =>
  `Something went wrong in ${appName} on this device. Your recording is safe here. Please reload the page. If this keeps happening, tell your teacher.`;
