/** The address of the log, and of all beneath it. */
export const PRACTICE_LOG = '/api/user/practice-log';
