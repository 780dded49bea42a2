/** The path of the log, and the prefix of all its endpoints. */
export const PRACTICE_LOG_PATH = '/api/user/practice-log';
