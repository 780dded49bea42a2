/**
 * Error for a database and media that don't belong together, or for a damaged installation id. The message
 * explains to the operator what to do.
 */
export class InstallationMismatchError extends Error {
  override name = 'InstallationMismatchError';
}

/** @param place for example 'The file /data/media/installation' */
export const createDamagedInstallationIdError = (place: string) =>
  new InstallationMismatchError(
    `${place} is damaged. Restore it, or delete it. Deleting it is safe: it contains only the installation’s id, and Yangchen creates it again at the next start.`,
  );
