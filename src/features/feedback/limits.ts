import { FILE_TOO_LARGE, recordingAudioSlot } from '../recordings/limits.ts';
import { melodyAudioSlot } from '../melodies/limits.ts';
import type { UploadSlot } from '../../platform/contract/media.ts';

export const WRITTEN_FEEDBACK_MAX = 20_000;

export const MARKS_MAX = 200;
export const MARK_TEXT_MAX = 500;
/** The longest recording that is taken. */
export const MARK_SECONDS_MAX = 30 * 60;
/** The longest melody that is taken. */
export const MARK_MELODY_SECONDS_MAX = melodyAudioSlot.maxSeconds;

/** So many revisions a draft may name as what it goes on from. */
export const DRAFT_BASES_MAX = 8;

/** So many earlier tries a reply may name as its own. */
export const ATTEMPTS_MAX = 20;

export const MISSING_FEEDBACK = 'Please provide either written feedback or audio feedback.';

/** A spoken reply is taken like a recording: the same kinds, size and length. */
export const feedbackAudioSlot = {
  ...recordingAudioSlot,
  name: 'feedback-audio',
  sentBy: 'admin',
  tooLargeMessage: FILE_TOO_LARGE,
} as const satisfies UploadSlot;
