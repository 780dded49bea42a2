import { FILE_TOO_LARGE, recordingAudioSlot } from '../recordings/limits.ts';
import { melodyAudioSlot } from '../melodies/limits.ts';
import type { UploadSlot } from '../../platform/contract/media.ts';

export const WRITTEN_FEEDBACK_MAX = 20_000;

export const MARKS_MAX = 200;
export const MARK_TEXT_MAX = 500;
/** Seconds of the longest recording that is accepted. */
export const MARK_SECONDS_MAX = 30 * 60;
/** Seconds of the longest melody that is accepted. */
export const MARK_MELODY_SECONDS_MAX = melodyAudioSlot.maxSeconds;

/** Maximum number of revisions in a draft's `basedOn`. */
export const DRAFT_BASES_MAX = 8;

/** Maximum number of earlier tries in a reply's `supersedes`. */
export const ATTEMPTS_MAX = 20;

export const MISSING_FEEDBACK = 'Please provide either written feedback or audio feedback.';

/** A spoken reply is accepted like a recording: the same kinds, size and length. */
export const feedbackAudioSlot = {
  ...recordingAudioSlot,
  name: 'feedback-audio',
  sentBy: 'admin',
  tooLargeMessage: FILE_TOO_LARGE,
} as const satisfies UploadSlot;

/** Drafts in a page of their list. */
export const DRAFTS_PAGE = 100;

/** Attempts at one melody that are answered at once. */
export const THREAD_PAGE = 50;
