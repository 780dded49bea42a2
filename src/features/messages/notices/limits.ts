/** Notices that a teacher may hide, because whoever runs the server may deliberately take no backups. */
export const DISMISSIBLE_NOTICE_KINDS = ['backup-overdue', 'no-backup'] as const;
