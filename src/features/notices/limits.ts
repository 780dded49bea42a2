/** What the teacher can be told of the installation itself. */
export const NOTICE_KINDS = ['sweep-held', 'files-damaged', 'disk-low'] as const;
