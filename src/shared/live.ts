/** URLs whose data an open page refetches when somebody else changes it. Each includes all URLs below it. */
export const LIVE_PATHS = [
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

/** URLs of melody lists, which contain only melodies that the user may hear. */
export const MELODY_LIST_PATHS = ['/api/melodies', '/api/user/favourites', '/api/user/today'] as const;

/** A URL that the server can announce as changed. */
export type LivePath =
  | (typeof LIVE_PATHS)[number]
  | '/api/recordings/pending'
  | `/api/recordings/${number}/lines`;

/**
 * Returns whether a live change must not refetch this URL. A melody that is open for practice or editing stays
 * as it is, and is fetched again when it is next opened.
 */
export const isLiveRefetchSuppressed = (url: string) => /^\/api\/melodies\/\d+(?:\?|$)/.test(url);
