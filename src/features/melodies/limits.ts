import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';

/** Name of the library, as shown on its page, in the browser tab and in the header. */
export const LIBRARY_TITLE = 'Sacred Melodies';

export const TITLE_REQUIRED_MESSAGE = 'Title is required';
export const LEVEL_REQUIRED_MESSAGE = 'Transmission level is required';

export const MAX_MELODY_TITLE_LENGTH = 200;
export const MAX_MELODY_DESCRIPTION_LENGTH = 5_000;
export const MAX_VIDEO_URL_LENGTH = 2_000;

/** Maximum number of melodies changed by one request. */
export const MAX_BULK_MELODIES = 100;

/**
 * Allows 100 MB, because the audio of a complete sadhana needs far more than the 10 MB allowed for a recording.
 */
export const melodyAudioSlot = {
  name: 'melody-audio',
  media: 'audio',
  sentBy: 'admin',
  tooLargeFrom: 100 * MEBIBYTE + 1,
  tooLargeMessage: 'This audio file is too large. Please choose a file of up to 100 MB.',
  maxSeconds: 3 * 60 * 60,
  audioKinds: ['mp3', 'wav', 'm4a'],
} as const satisfies UploadSlot;

export const melodyThumbnailSlot = {
  name: 'melody-thumbnail',
  media: 'image',
  sentBy: 'admin',
  tooLargeFrom: 10 * MEBIBYTE + 1,
  tooLargeMessage: 'This picture is too large. Please choose a file of up to 10 MB.',
} as const satisfies UploadSlot;
