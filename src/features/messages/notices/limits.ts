/** The kinds of notices about the installation itself. */
export const NOTICE_KINDS = [
  'sweep-held',
  'files-damaged',
  'disk-low',
  'backup-failed',
  'backup-overdue',
  'no-backup',
  'bucket-missing',
] as const;

/** Those that a teacher may hide: whoever runs the server may have chosen it so. */
export const DISMISSIBLE_NOTICES = ['backup-overdue', 'no-backup'] as const;
