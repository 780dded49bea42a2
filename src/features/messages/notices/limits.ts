/** Those that a teacher may hide: whoever runs the server may have chosen it so. */
export const DISMISSIBLE_NOTICES = ['backup-overdue', 'no-backup'] as const;
