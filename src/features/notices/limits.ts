/** The kinds of notices about the installation itself. */
export const NOTICE_KINDS = ['sweep-held', 'files-damaged', 'disk-low', 'backup-failed'] as const;
