/** How many melodies one request asks about. */
export const MANIFEST_MAX = 100;

/** How long a pack may be used after the last contact with the server. */
export const LEASE_DAYS = 30;
