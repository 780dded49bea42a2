import { FILE_TOO_LARGE, recordingAudioSlot } from '#features/recordings/limits.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { UploadSlot } from '#shared/media.ts';

export const WRITTEN_FEEDBACK_MAX = 20_000;

export const MARKS_MAX = 200;
export const MARK_TEXT_MAX = 500;
/** Of one answer: its sounds are on their way together, and a person may have 20 such uploads. */
export const VOICES_MAX = 12;
export const TOO_MANY_VOICES = `Please speak at ${VOICES_MAX} moments at most; a recorded audio response can say the rest.`;
/** Seconds of the longest recording that is accepted. */
export const MARK_SECONDS_MAX = 30 * 60;
/** Seconds of the longest melody that is accepted. */
export const MARK_MELODY_SECONDS_MAX = melodyAudioSlot.maxSeconds;

/** A line of the melody whose time has been moved by no more than this is still the one that a mark is at. */
export const MOVED_SECONDS = 0.3;

/** Maximum number of revisions in a draft's `basedOn`. */
export const DRAFT_BASES_MAX = 8;

/** Maximum number of earlier tries in a reply's `supersedes`. */
export const ATTEMPTS_MAX = 20;

export const MISSING_FEEDBACK = 'Please provide either written feedback or audio feedback.';

export const TAKEN_BACK = 'You took this feedback back, so it was not sent.';

/** A spoken reply is accepted like a recording: the same kinds, size and length. */
export const feedbackAudioSlot = {
  ...recordingAudioSlot,
  name: 'feedback-audio',
  sentBy: 'admin',
  tooLargeMessage: FILE_TOO_LARGE,
} as const satisfies UploadSlot;

/** How long feedback may be held before it goes out, so that sending can be undone. */
export const HOLD_SECONDS_MAX = 30;

/** For how long the inbox has its feedback held. */
export const HOLD_SECONDS = 10;

/** The same for one answer to several: the first must not go out while the last is still being sent. */
export const TOGETHER_HOLD_SECONDS = HOLD_SECONDS_MAX;

/** What one admin may hold at once; more goes out at once. */
export const HELD_MAX = 20;

/** For how long a recording may be put aside. */
export const ASIDE_DAYS_MAX = 366;

/** Recordings in a page of those put aside. */
export const ASIDE_PAGE = 100;

/** Drafts in a page of their list. */
export const DRAFTS_PAGE = 100;

/** Attempts at one melody that are answered at once. */
export const THREAD_PAGE = 50;
