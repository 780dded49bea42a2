/** Maximum number of melodies in one request. */
export const MAX_MANIFEST_MELODIES = 100;

/**
 * Maximum number of a student's newest recordings whose audio is stored. The same limit applies to feedback.
 */
export const MAX_OFFLINE_OWN_RECORDINGS = 20;

/** Days for which a pack (a user's offline data) may be used after the last contact with the server. */
export const PACK_LEASE_DAYS = 30;
