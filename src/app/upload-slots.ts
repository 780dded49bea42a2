import { feedbackAudioSlot } from '#features/feedback/limits.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import type { UploadSlotName } from '#shared/kinds.ts';
import type { UploadSlot } from '#shared/media.ts';

export const uploadSlots = {
  'recording-audio': recordingAudioSlot,
  'feedback-audio': feedbackAudioSlot,
  'melody-audio': melodyAudioSlot,
  'melody-thumbnail': melodyThumbnailSlot,
} as const satisfies Record<UploadSlotName, UploadSlot>;
