import type { SlotName } from '#shared/kinds.ts';
import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';

/** The slot, by role, of an upload that names none. */
export const USUAL_SLOT = {
  student: 'recording-audio',
  admin: 'feedback-audio',
} as const satisfies Record<UploadSlot['sentBy'], SlotName>;

/** Maximum size of a chunk, in bytes. */
export const CHUNK_MAX = MEBIBYTE;

/**
 * Minimum size of a chunk in bytes, except for the last: each chunk costs a row. Smaller than what browsers send on the
 * poorest connection.
 */
export const CHUNK_MIN = 8_000;

/** Maximum number of uploads that a user may have under way. */
export const OPEN_UPLOADS_MAX = 20;

/** Maximum total size of a user's uploads under way, in bytes, as declared for each. */
export const OPEN_UPLOADS_BYTES_MAX = 512 * MEBIBYTE;

/** Minutes without a new chunk after which, at either limit, a new upload replaces a user's longest idle one. */
export const UPLOAD_RESTS_FOR_MINUTES = 60;

/**
 * Days without a new chunk after which an upload is deleted; long enough for somebody who has a connection only once a
 * week.
 */
export const UPLOAD_DAYS = 14;

/** Age in days at which an upload is deleted in any case; the recording is still on its device, and is sent anew. */
export const UPLOAD_DAYS_AT_MOST = 90;
