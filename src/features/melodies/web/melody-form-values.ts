import { EMPTY_FILE_MESSAGE } from '#shared/audio-rejections.ts';
import type { BodyOf } from '#shared/body.ts';
import type { FieldErrors } from '#web/forms/use-form.ts';
import type { FormDraftOptions } from '#web/drafts/form-draft.ts';
import { isTextTooLong } from '#web/ui/text-limit.tsx';
import type { Melody, melodiesApi } from '../contract.ts';
import {
  MAX_MELODY_DESCRIPTION_LENGTH,
  MAX_MELODY_TITLE_LENGTH,
  melodyAudioSlot,
  melodyThumbnailSlot,
  MAX_VIDEO_URL_LENGTH,
} from '../limits.ts';
import { MAX_MELODY_TEXT_LENGTH } from '#features/lyrics/limits.ts';

/** Values that are sent with the form but aren't typed by the user. */
type Attached = 'clientId' | 'audioUploadId' | 'thumbnailUploadId' | 'peaks' | 'timings' | 'importId';
/** Fields of the form, as typed. */
export type MelodyFormValues = Record<Exclude<keyof BodyOf<typeof melodiesApi.add>, Attached>, string>;
/** A new file, 'removed' to delete the current file, or null to keep it. */
export type FileChoice = File | 'removed' | null;
export type MelodyFileChoices = { thumbnail: FileChoice; audioFile: FileChoice };
export type MelodyProblems = FieldErrors<MelodyFormValues & MelodyFileChoices>;

const EMPTY: MelodyFormValues = {
  title: '',
  description: '',
  melodyText: '',
  transmissionLevelId: '',
  vimeoUrl: '',
};
export const NO_MELODY_FILES: MelodyFileChoices = { thumbnail: null, audioFile: null };

export const MELODY_TEXT_LIMITS = {
  title: MAX_MELODY_TITLE_LENGTH,
  description: MAX_MELODY_DESCRIPTION_LENGTH,
  melodyText: MAX_MELODY_TEXT_LENGTH,
  vimeoUrl: MAX_VIDEO_URL_LENGTH,
} satisfies { [F in keyof MelodyFormValues]?: number };

/** Fields that are collapsed until they are needed or have a value. */
const FOLDED_FIELDS = [
  'description',
  'thumbnail',
  'vimeoUrl',
] as const satisfies readonly (keyof MelodyProblems)[];

/** Returns whether a collapsed field has an error to correct before the form can be sent. */
export const hasProblemInCollapsedFields = (typed: MelodyFormValues, problems: MelodyProblems) =>
  FOLDED_FIELDS.some(
    (field) =>
      problems[field] !== undefined ||
      (field !== 'thumbnail' && isTextTooLong(typed[field], MELODY_TEXT_LIMITS[field])),
  );

/** Returns whether a collapsed field of a saved melody has a value. */
export const hasValueInCollapsedFields = (melody: Melody | null) =>
  FOLDED_FIELDS.some((field) => hasValue(melody, field));

const hasValue = (melody: Melody | null, field: (typeof FOLDED_FIELDS)[number]) =>
  Boolean(field === 'thumbnail' ? melody?.thumbnailUrl : melody?.[field]);

/** Returns the problems of chosen files that are empty or too large. */
export function getFileSizeProblems({ thumbnail, audioFile }: MelodyFileChoices): MelodyProblems {
  const [picture, audio] = [
    getSizeProblem(thumbnail, melodyThumbnailSlot),
    getSizeProblem(audioFile, melodyAudioSlot),
  ];
  return { ...(picture && { thumbnail: picture }), ...(audio && { audioFile: audio }) };
}

/** Returns the form's initial values: the melody's values, or empty ones for a new melody. */
export const toMelodyFormValues = (melody: Melody | null): MelodyFormValues =>
  melody === null
    ? EMPTY
    : {
        title: melody.title,
        description: melody.description ?? '',
        melodyText: melody.melodyText ?? '',
        transmissionLevelId: String(melody.transmissionLevelId),
        vimeoUrl: melody.vimeoUrl ?? '',
      };

/**
 * Returns the changed fields. Only these are sent, so that concurrent changes by somebody else are not
 * overwritten. An empty level does not count as a change.
 */
export function getChangedMelodyFields(
  typed: MelodyFormValues,
  from: MelodyFormValues,
): Partial<MelodyFormValues> {
  const fields = Object.keys(from) as (keyof MelodyFormValues)[];
  const isOther = (field: keyof MelodyFormValues) =>
    typed[field] !== from[field] && !(field === 'transmissionLevelId' && typed[field] === '');
  return Object.fromEntries(fields.filter(isOther).map((field) => [field, typed[field]]));
}

/** Creates the options for the draft of a melody's fields. Only changed fields are stored. */
export const createMelodyDraftOptions = (melody: Melody | null): FormDraftOptions<MelodyFormValues> => ({
  name: melody === null ? 'new melody' : `melody ${melody.id}`,
  restore: (kept) => ({ ...toMelodyFormValues(melody), ...kept }),
  toStored(typed) {
    const changed = getChangedMelodyFields(typed, toMelodyFormValues(melody));
    return Object.keys(changed).length === 0 ? null : changed;
  },
});

function getSizeProblem(file: FileChoice, slot: { tooLargeFrom: number; tooLargeMessage: string }) {
  if (!(file instanceof File)) return null;
  if (file.size === 0) return EMPTY_FILE_MESSAGE;
  return file.size >= slot.tooLargeFrom ? slot.tooLargeMessage : null;
}
