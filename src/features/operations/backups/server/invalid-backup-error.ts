/** Error for a backup that can't be restored. It is thrown before anything is changed. */
export class InvalidBackupError extends Error {
  override readonly name = 'InvalidBackupError';
}

export const NOTHING_CHANGED_MESSAGE = 'Nothing was changed.';
