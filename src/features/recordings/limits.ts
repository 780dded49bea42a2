import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';

export const MAX_RECORDING_TITLE_LENGTH = 200;
export const MAX_RECORDING_MESSAGE_LENGTH = 2_000;

/**
 * Page size of the histories of recordings and feedback. With one or two waveforms per item, a page stays below
 * 200 KB.
 */
export const RECORDING_HISTORY_PAGE_SIZE = 100;

/**
 * Page size of pending recordings. Smaller than RECORDING_HISTORY_PAGE_SIZE, because the page shows each
 * recording as a card with a form.
 */
export const PENDING_RECORDINGS_PAGE_SIZE = 50;

export const MISSING_RECORDING_TITLE_MESSAGE = 'Please provide a title for your recording.';
export const MISSING_RECORDING_MESSAGE = 'Please record or upload an audio file.';
export const RECORDING_FILE_TOO_LARGE_MESSAGE = 'Please select a file smaller than 10MB.';

/**
 * Upload slot for recordings. Recordings made in the browser never reach the size limit, because 120 s at 32
 * kHz are 7.68 MB.
 */
export const recordingAudioSlot = {
  name: 'recording-audio',
  media: 'audio',
  sentBy: 'student',
  tooLargeFrom: 10 * MEBIBYTE,
  tooLargeMessage: RECORDING_FILE_TOO_LARGE_MESSAGE,
  maxSeconds: 30 * 60,
} as const satisfies UploadSlot;
