/** What follows on an open page when somebody else changes it: each address, and all beneath it. */
export const LIVE = [
  '/api/feedback',
  '/api/student/recordings',
  '/api/recordings',
  '/api/admin/feedback',
  '/api/admin/pending-recordings',
  '/api/admin/registration-requests',
] as const;

export type LiveAddress = (typeof LIVE)[number];
