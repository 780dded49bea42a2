import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import type { ChosenFile } from '#web/uploads/page-upload.ts';
import { feedbackAudioSlot } from '../limits.ts';

/** The spoken part of a reply as a file to upload; an empty list without one. */
export const spokenFile = (audio: ChosenAudio | null): ChosenFile[] =>
  audio ? [{ blob: audio.blob, slot: feedbackAudioSlot.name, kept: audio.kept?.id }] : [];
