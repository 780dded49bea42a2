import type { UploadSlotName } from '#shared/kinds.ts';
import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';

/** Default slot of an upload, by role. */
export const DEFAULT_UPLOAD_SLOTS = {
  student: 'recording-audio',
  admin: 'feedback-audio',
} as const satisfies Record<UploadSlot['sentBy'], UploadSlotName>;

/** Maximum size of a chunk, in bytes. */
export const MAX_UPLOAD_CHUNK_BYTES = MEBIBYTE;

/**
 * Minimum size in bytes of every chunk but the last, because each chunk costs a database write. The limit is
 * smaller than the chunks that browsers send on the poorest connection.
 */
export const MIN_UPLOAD_CHUNK_BYTES = 8_000;

/** Maximum number of open uploads per user. */
export const MAX_OPEN_UPLOADS = 20;

/** Maximum total size of a user's open uploads, in bytes, by their declared sizes. */
export const MAX_OPEN_UPLOAD_BYTES = 512 * MEBIBYTE;

/**
 * Minutes without a new chunk after which an upload may be replaced. If MAX_OPEN_UPLOADS or
 * MAX_OPEN_UPLOAD_BYTES is reached, a new upload replaces the user's upload that has been idle longest.
 */
export const UPLOAD_EVICTION_IDLE_MINUTES = 60;

/**
 * Days without a new chunk after which an upload is deleted; enough for someone who has a connection only once
 * a week.
 */
export const MAX_IDLE_UPLOAD_DAYS = 14;

/**
 * Maximum age of an upload, in days. An older upload is deleted. The device still has the recording and sends
 * it again.
 */
export const MAX_UPLOAD_AGE_DAYS = 90;
