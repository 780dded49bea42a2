import { FILE_TOO_LARGE, recordingAudioSlot } from '#features/recordings/limits.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { UploadSlot } from '#shared/media.ts';

export const WRITTEN_FEEDBACK_MAX = 20_000;

export const MARKS_MAX = 200;
export const MARK_TEXT_MAX = 500;
/** Maximum number of voices in one reply. Their uploads run together, and a person may have 20 open uploads. */
export const VOICES_MAX = 12;
export const TOO_MANY_VOICES = `You can add up to ${VOICES_MAX} voice comments. Use an audio response for the rest.`;
/** Maximum recording length, in seconds. */
export const MARK_SECONDS_MAX = 30 * 60;
/** Maximum melody length, in seconds. */
export const MARK_MELODY_SECONDS_MAX = melodyAudioSlot.maxSeconds;

/** Tolerance for retimed lines: a mark stays at its line if the line's start has moved by at most this. */
export const MOVED_SECONDS = 0.3;

/** Maximum number of revisions in a draft's `basedOn`. */
export const DRAFT_BASES_MAX = 8;

/** Maximum number of earlier attempts in a reply's `supersedes`. */
export const ATTEMPTS_MAX = 20;

export const MISSING_FEEDBACK = 'Please provide either written feedback or audio feedback.';

export const HAS_FEEDBACK = 'This recording already has feedback.';

export const TAKEN_BACK = 'You cancelled sending this feedback, so it wasn’t sent.';

/** Limits of a spoken reply: the same kinds, size and length as for a recording. */
export const feedbackAudioSlot = {
  ...recordingAudioSlot,
  name: 'feedback-audio',
  sentBy: 'admin',
  tooLargeMessage: FILE_TOO_LARGE,
} as const satisfies UploadSlot;

/** Maximum undo window: how long feedback may be held before it is released. */
export const HOLD_SECONDS_MAX = 30;

/** Undo window for a single reply in the inbox. */
export const HOLD_SECONDS = 10;

/** Undo window for a bulk reply: the first must not be released while the last is still being sent. */
export const TOGETHER_HOLD_SECONDS = HOLD_SECONDS_MAX;

/** Maximum number of held replies per admin; further ones are released at once. */
export const HELD_MAX = 20;

/** Maximum time for which a recording can be snoozed, in days. */
export const ASIDE_DAYS_MAX = 366;

/** Page size of the list of snoozed recordings. */
export const ASIDE_PAGE = 100;

/** Page size of the list of drafts. */
export const DRAFTS_PAGE = 100;

/** Page size of the attempts at one melody. */
export const THREAD_PAGE = 50;
