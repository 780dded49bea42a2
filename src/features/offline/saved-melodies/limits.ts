/** How many melodies one request asks about. */
export const MANIFEST_MAX = 100;

/** Of how many of a student's own recordings, and of how many answers, the sound is kept: the newest. */
export const OWN_SOUNDS = 20;

/** How long a pack may be used after the last contact with the server. */
export const LEASE_DAYS = 30;
