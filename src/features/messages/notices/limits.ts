/**
 * Notices that a teacher may hide, because whoever runs the server may deliberately take no backups, or have too
 * little space to test them.
 */
export const DISMISSIBLE_NOTICE_KINDS = ['backup-overdue', 'no-backup', 'restore-untested'] as const;
