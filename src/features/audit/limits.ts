/** Every action that the audit log can record. */
export const AUDITED_ACTIONS = [
  'request-approved',
  'request-deleted',
  'user-created',
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
  'sign-in-code-shown',
  'passkey-added',
  'passkey-removed',
  'passkey-asked-for',
  'passkey-not-asked-for',
  'mail-opened',
  'mail-passed-on',
  'student-exported',
  'library-exported',
  'passage-asked',
  'passage-agreed',
  'passage-declined',
  'passage-revoked',
  'passage-withdrawn',
] as const;

/** Entries per page. */
export const AUDIT_PAGE_SIZE = 50;
