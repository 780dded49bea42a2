import { EMPTY_FILE } from '#shared/audio-refusals.ts';
import type { BodyOf } from '#shared/body.ts';
import type { Problems } from '#web/forms/use-form.ts';
import type { DraftOptions } from '#web/drafts/draft.ts';
import { isTooLong } from '#web/ui/text-limit.tsx';
import type { Melody, melodiesApi } from '../contract.ts';
import {
  MELODY_DESCRIPTION_MAX,
  MELODY_TITLE_MAX,
  melodyAudioSlot,
  melodyThumbnailSlot,
  VIDEO_URL_MAX,
} from '../limits.ts';
import { MELODY_TEXT_MAX } from '#features/lyrics/limits.ts';

/** Values sent with the form that have no field in it. */
type Attached = 'clientId' | 'audioUploadId' | 'thumbnailUploadId' | 'peaks' | 'timings' | 'importId';
/** Fields of the form, as typed. */
export type TypedMelody = Record<Exclude<keyof BodyOf<typeof melodiesApi.add>, Attached>, string>;
/** A new file, 'removed' to delete the current one, or null to leave it. */
export type FileChoice = File | 'removed' | null;
export type MelodyFiles = { thumbnail: FileChoice; audioFile: FileChoice };
export type MelodyProblems = Problems<TypedMelody & MelodyFiles>;

const EMPTY: TypedMelody = {
  title: '',
  description: '',
  melodyText: '',
  transmissionLevelId: '',
  vimeoUrl: '',
};
export const NO_FILES: MelodyFiles = { thumbnail: null, audioFile: null };

export const textLimits = {
  title: MELODY_TITLE_MAX,
  description: MELODY_DESCRIPTION_MAX,
  melodyText: MELODY_TEXT_MAX,
  vimeoUrl: VIDEO_URL_MAX,
} satisfies { [F in keyof TypedMelody]?: number };

/** Fields that are collapsed until they are needed or have a value. */
const FOLDED = ['description', 'thumbnail', 'vimeoUrl'] as const satisfies readonly (keyof MelodyProblems)[];

/** Returns whether a collapsed field has an error to correct before the form can be sent. */
export const isFoldNeeded = (typed: TypedMelody, problems: MelodyProblems) =>
  FOLDED.some(
    (field) =>
      problems[field] !== undefined || (field !== 'thumbnail' && isTooLong(typed[field], textLimits[field])),
  );

/** Returns whether a collapsed field of a saved melody has a value. */
export const isFoldUsed = (melody: Melody | null) => FOLDED.some((field) => holds(melody, field));

const holds = (melody: Melody | null, field: (typeof FOLDED)[number]) =>
  Boolean(field === 'thumbnail' ? melody?.thumbnailUrl : melody?.[field]);

/** Returns the problems of chosen files that are empty or too large. */
export function sizeProblemsIn({ thumbnail, audioFile }: MelodyFiles): MelodyProblems {
  const [picture, audio] = [
    sizeProblem(thumbnail, melodyThumbnailSlot),
    sizeProblem(audioFile, melodyAudioSlot),
  ];
  return { ...(picture && { thumbnail: picture }), ...(audio && { audioFile: audio }) };
}

/** Returns the form's initial values: the melody's, or empty for a new one. */
export const typedOf = (melody: Melody | null): TypedMelody =>
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
 * Returns the changed fields. Only these are sent, so that concurrent changes by somebody else are not overwritten.
 * An empty level does not count as a change.
 */
export function changedIn(typed: TypedMelody, from: TypedMelody): Partial<TypedMelody> {
  const fields = Object.keys(from) as (keyof TypedMelody)[];
  const isOther = (field: keyof TypedMelody) =>
    typed[field] !== from[field] && !(field === 'transmissionLevelId' && typed[field] === '');
  return Object.fromEntries(fields.filter(isOther).map((field) => [field, typed[field]]));
}

/** Draft of the melody's fields, with unsaved changes restored. */
export const melodyDraft = (melody: Melody | null): DraftOptions<TypedMelody> => ({
  of: melody === null ? 'new melody' : `melody ${melody.id}`,
  begin: (kept) => ({ ...typedOf(melody), ...kept }),
  keep(typed) {
    const changed = changedIn(typed, typedOf(melody));
    return Object.keys(changed).length === 0 ? null : changed;
  },
});

function sizeProblem(file: FileChoice, slot: { tooLargeFrom: number; tooLargeMessage: string }) {
  if (!(file instanceof File)) return null;
  if (file.size === 0) return EMPTY_FILE;
  return file.size >= slot.tooLargeFrom ? slot.tooLargeMessage : null;
}
