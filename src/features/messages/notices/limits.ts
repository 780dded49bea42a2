/** Notices a teacher may hide, because whoever runs the server may want it that way. */
export const DISMISSIBLE_NOTICES = ['backup-overdue', 'no-backup'] as const;
