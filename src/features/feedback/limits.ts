import { RECORDING_FILE_TOO_LARGE_MESSAGE, recordingAudioSlot } from '#features/recordings/limits.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { UploadSlot } from '#shared/media.ts';

export const MAX_WRITTEN_FEEDBACK_LENGTH = 20_000;

export const MAX_MARKS = 200;
export const MAX_MARK_TEXT_LENGTH = 500;
/**
 * Maximum number of voice comments in one reply. They are uploaded concurrently, so the number must stay
 * below 20, the maximum number of open uploads per user.
 */
export const MAX_VOICE_COMMENTS = 12;
export const TOO_MANY_VOICE_COMMENTS_MESSAGE = `You can add up to ${MAX_VOICE_COMMENTS} voice comments. Use an audio response for the rest.`;
/** Latest time of a mark in a recording, in seconds. */
export const MAX_MARK_TIME_SECONDS = recordingAudioSlot.maxSeconds;
/** Latest time of a mark in a melody, in seconds. */
export const MAX_MARK_MELODY_TIME_SECONDS = melodyAudioSlot.maxSeconds;

/**
 * Tolerance for retimed lines, in seconds. A mark stays at its line if the line's start is moved by at most
 * this much.
 */
export const LINE_START_TOLERANCE_SECONDS = 0.3;

/** Maximum number of revisions in a draft's `basedOn`. */
export const MAX_DRAFT_BASE_REVISIONS = 8;

/** Maximum number of earlier attempts to send a reply that its `supersedes` can list. */
export const MAX_SUPERSEDED_SEND_ATTEMPTS = 20;

export const MISSING_FEEDBACK_MESSAGE = 'Please provide either written feedback or audio feedback.';

export const ALREADY_HAS_FEEDBACK_MESSAGE = 'This recording already has feedback.';

export const SENDING_CANCELLED_MESSAGE = 'You cancelled sending this feedback, so it wasn’t sent.';

/** Limits for the spoken part of a reply: the same file types, size and duration as for a recording. */
export const feedbackAudioSlot = {
  ...recordingAudioSlot,
  name: 'feedback-audio',
  sentBy: 'admin',
  tooLargeMessage: RECORDING_FILE_TOO_LARGE_MESSAGE,
} as const satisfies UploadSlot;

/** Maximum undo window: how long feedback can be held before it is released. */
export const MAX_UNDO_WINDOW_SECONDS = 30;

/** Undo window for a single reply in the inbox. */
export const UNDO_WINDOW_SECONDS = 10;

/**
 * Undo window for a bulk reply. Long enough that the first reply isn't released while the last is still being
 * sent.
 */
export const BULK_UNDO_WINDOW_SECONDS = MAX_UNDO_WINDOW_SECONDS;

/** Maximum number of held replies per admin. Further replies are released immediately. */
export const MAX_HELD_REPLIES = 20;

/** Maximum time for which a recording can be snoozed, in days. */
export const MAX_SNOOZE_DAYS = 366;

/** Page size of the list of snoozed recordings. */
export const SNOOZED_PAGE_SIZE = 100;

/** Page size of the list of drafts. */
export const DRAFTS_PAGE_SIZE = 100;

/** Page size of the attempts at one melody. */
export const THREAD_PAGE_SIZE = 50;
