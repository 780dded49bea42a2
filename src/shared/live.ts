/** What follows on an open page when somebody else changes it: each address, and all beneath it. */
export const LIVE = [
  '/api/feedback',
  '/api/student/recordings',
  '/api/recordings',
  '/api/melodies',
  '/api/user/transmission-levels',
  '/api/user/sign-in-codes',
  '/api/user/favourites',
  '/api/user/today',
  '/api/agreements',
  '/api/admin/agreements',
  '/api/admin/feedback',
  '/api/admin/phrases',
  '/api/admin/pending-recordings',
  '/api/admin/registration-requests',
  '/api/admin/transmission-levels',
  '/api/admin/users',
  '/api/admin/mail',
  '/api/admin/notices',
] as const;

/** Where melodies are shown that one may hear. */
export const HEARD_MELODIES = ['/api/melodies', '/api/user/favourites', '/api/user/today'] as const;

/** One of these, or one beneath them, so that nothing else is asked for. */
export type LiveAddress =
  | (typeof LIVE)[number]
  | '/api/recordings/pending'
  | `/api/recordings/${number}/lines`;

/**
 * What one is in the middle of: a melody that is being practised, or written, stays under one's hands as it is. It is
 * asked for anew when it is next opened.
 */
export const isLiveRefetchSuppressed = (url: string) => /^\/api\/melodies\/\d+(?:\?|$)/.test(url);
