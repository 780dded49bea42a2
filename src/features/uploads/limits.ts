import { MEBIBYTE } from '../../platform/contract/media.ts';

/** Recordings and replies come this way, so their limit counts: this size is the first that is too large. */
export const UPLOAD_TOO_LARGE_FROM = 10 * MEBIBYTE;

/** The largest chunk that is taken at once. */
export const CHUNK_MAX = MEBIBYTE;

/**
 * The smallest, but for the last: a file of tiny chunks would cost a row for each. Below what browsers send on the
 * poorest line.
 */
export const CHUNK_MIN = 8_000;

/** Uploads that one user may have under way. */
export const OPEN_UPLOADS_MAX = 20;

/** Where as many are under way, the one that has not grown for longest gives way to a new one after so long. */
export const UPLOAD_RESTS_FOR_MINUTES = 60;

/**
 * An upload is forgotten after so many days without a new chunk: where the connection is there once a week, it may take its
 * time.
 */
export const UPLOAD_DAYS = 14;

/** … and after so many in any case; the recording is still on its device, and is sent from the beginning. */
export const UPLOAD_DAYS_AT_MOST = 90;
