/**
 * Error for a database and media that don't belong together. The message tells the operator what to do. It is
 * thrown before anything is changed.
 */
export class InstallationMismatchError extends Error {
  override name = 'InstallationMismatchError';
}
