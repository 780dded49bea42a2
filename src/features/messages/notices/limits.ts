/** Notices that a teacher may hide, because whoever runs the server may have chosen this deliberately. */
export const DISMISSIBLE_NOTICES = ['backup-overdue', 'no-backup'] as const;
