/**
 * Error for a database and media that don't belong together. The message tells the operator what to do, and
 * that nothing was changed.
 */
export class InstallationMismatchError extends Error {
  override name = 'InstallationMismatchError';
}
