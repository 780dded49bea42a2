/** The path of the log, and the prefix of all its endpoints. */
export const PRACTICE_LOG = '/api/user/practice-log';
