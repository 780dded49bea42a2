/** Every action that the audit log can record. */
export const AUDITED_ACTIONS = [
  'request-approved',
  'request-deleted',
  'user-created',
  'teacher-created',
  'user-invited',
  'user-enabled',
  'user-disabled',
  'user-deleted',
  'user-changed',
  'level-granted',
  'level-revoked',
  'level-added',
  'level-changed',
  'level-deleted',
  'password-issued',
  'password-reset',
  'sign-in-code-shown',
  'passkey-added',
  'passkey-removed',
  'passkey-asked-for',
  'passkey-not-asked-for',
  'mail-opened',
  'mail-passed-on',
  'student-exported',
  'library-exported',
  'backup-restored',
  'passage-asked',
  'passage-agreed',
  'passage-declined',
  'passage-revoked',
  'passage-withdrawn',
] as const;

/** The purposes for which a file can be uploaded. */
export const UPLOAD_SLOT_NAMES = [
  'recording-audio',
  'feedback-audio',
  'melody-audio',
  'melody-thumbnail',
] as const;
export type UploadSlotName = (typeof UPLOAD_SLOT_NAMES)[number];

export const MAIL_KINDS = [
  'credentials',
  'password-reset',
  'password-changed',
  'account-changed',
  'test-mail',
  'new-device',
  'sign-in-link',
  'passkey-added',
  'passkey-removed',
  'passkey-asked-for',
  'passkey-not-asked-for',
  'feedback-given',
  'recordings-waiting',
] as const;

/** Kinds of notices about the installation itself. */
export const NOTICE_KINDS = [
  'sweep-held',
  'files-damaged',
  'disk-low',
  'backup-failed',
  'backup-overdue',
  'no-backup',
  'restore-failed',
  'restore-untested',
  'bucket-missing',
] as const;
