import { MEBIBYTE, type UploadSlot } from '../../platform/contract/media.ts';
import { feedbackAudioSlot } from '../feedback/limits.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../melodies/limits.ts';
import { recordingAudioSlot } from '../recordings/limits.ts';

export type SlotName = UploadSlot['name'];

/** What an upload may be meant for; its slot says who may begin it and how large it may be. */
export const uploadSlots = {
  'recording-audio': recordingAudioSlot,
  'feedback-audio': feedbackAudioSlot,
  'melody-audio': melodyAudioSlot,
  'melody-thumbnail': melodyThumbnailSlot,
} as const satisfies Record<SlotName, UploadSlot>;

/** Where a sound goes whose upload names no slot. */
export const USUAL_SLOT = {
  student: 'recording-audio',
  admin: 'feedback-audio',
} as const satisfies Record<UploadSlot['sentBy'], SlotName>;

/** The largest chunk that is taken at once. */
export const CHUNK_MAX = MEBIBYTE;

/**
 * The smallest, but for the last: a file of tiny chunks would cost a row for each. Below what browsers send on the
 * poorest connection.
 */
export const CHUNK_MIN = 8_000;

/** Uploads that one user may have under way. */
export const OPEN_UPLOADS_MAX = 20;

/** … and the bytes that they may have together, by the size that each was said to have. */
export const OPEN_UPLOADS_BYTES_MAX = 512 * MEBIBYTE;

/** Where as many are under way, the one that has not grown for longest gives way to a new one after so long. */
export const UPLOAD_RESTS_FOR_MINUTES = 60;

/**
 * An upload is forgotten after so many days without a new chunk: where the connection is there once a week, it may take its
 * time.
 */
export const UPLOAD_DAYS = 14;

/** … and after so many in any case; the recording is still on its device, and is sent from the beginning. */
export const UPLOAD_DAYS_AT_MOST = 90;
