import type { BodyOf } from '#shared/body.ts';
import { issuesOf } from '#web/api/call.ts';
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

/** What goes along with a form and is in none of its fields. */
type Attached = 'clientId' | 'audioUploadId' | 'thumbnailUploadId' | 'peaks' | 'timings' | 'importId';
/** Fields of the form, as typed: each that a melody is added with. */
export type TypedMelody = Record<Exclude<keyof BodyOf<typeof melodiesApi.add>, Attached>, string>;
/** A new file, 'removed' to delete the present one, or null to leave it. */
export type FileChoice = File | 'removed' | null;
export type MelodyFiles = { thumbnail: FileChoice; audioFile: FileChoice };
export type MelodyField = keyof TypedMelody | keyof MelodyFiles;
export type MelodyProblems = { [F in MelodyField]?: string | undefined };

const EMPTY: TypedMelody = {
  title: '',
  description: '',
  melodyText: '',
  transmissionLevelId: '',
  vimeoUrl: '',
};
export const NO_FILES: MelodyFiles = { thumbnail: null, audioFile: null };

/** In their order on the page. */
const FIELDS = Object.keys({
  title: 0,
  transmissionLevelId: 0,
  audioFile: 0,
  melodyText: 0,
  description: 0,
  thumbnail: 0,
  vimeoUrl: 0,
} satisfies Record<MelodyField, 0>) as readonly MelodyField[];

export const firstOf = (problems: MelodyProblems, others: readonly MelodyField[] = []) =>
  FIELDS.find((field) => problems[field] !== undefined || others.includes(field));

export const TITLE_MISSING = 'Title is required';

/** An existing melody has a level, and keeps it when none is chosen. */
export const missingIn = (
  { title, transmissionLevelId }: TypedMelody,
  melody: Melody | null,
): MelodyProblems => ({
  ...(title.trim() === '' ? { title: TITLE_MISSING } : {}),
  ...(melody === null && transmissionLevelId === ''
    ? { transmissionLevelId: 'Transmission level is required' }
    : {}),
});

/** The problems that are left after a change: of the fields that were changed, only what is missing still. */
export function uncorrected(
  problems: MelodyProblems,
  { from, to }: { from: TypedMelody; to: TypedMelody },
  melody: Melody | null,
): MelodyProblems {
  const missing = missingIn(to, melody);
  const changed = (Object.keys(to) as (keyof TypedMelody)[]).filter((field) => to[field] !== from[field]);
  return {
    ...problems,
    ...Object.fromEntries(changed.map((field) => [field, problems[field] && missing[field]])),
  };
}

export const textLimits = {
  title: MELODY_TITLE_MAX,
  description: MELODY_DESCRIPTION_MAX,
  melodyText: MELODY_TEXT_MAX,
  vimeoUrl: VIDEO_URL_MAX,
} satisfies { [F in keyof TypedMelody]?: number };

/** Fields that are folded away until they are wanted, or hold something. */
const FOLDED = ['description', 'thumbnail', 'vimeoUrl'] as const satisfies readonly MelodyField[];

/** Whether a folded field holds what must be seen before the form can be sent. */
export const isFoldNeeded = (typed: TypedMelody, problems: MelodyProblems) =>
  FOLDED.some((field) => problems[field] !== undefined || tooLongIn(typed).includes(field));

/** Whether a folded field of a saved melody holds something. */
export const isFoldUsed = (melody: Melody | null) => FOLDED.some((field) => holds(melody, field));

const holds = (melody: Melody | null, field: (typeof FOLDED)[number]) =>
  Boolean(field === 'thumbnail' ? melody?.thumbnailUrl : melody?.[field]);

/** The fields show this themselves while the user types. */
export function tooLongIn(typed: TypedMelody): MelodyField[] {
  const fields = Object.keys(textLimits) as (keyof typeof textLimits)[];
  return fields.filter((field) => isTooLong(typed[field], textLimits[field]));
}

export const tooLargeIn = ({ thumbnail, audioFile }: MelodyFiles): MelodyProblems => ({
  ...(isTooLarge(thumbnail, melodyThumbnailSlot) ? { thumbnail: melodyThumbnailSlot.tooLargeMessage } : {}),
  ...(isTooLarge(audioFile, melodyAudioSlot) ? { audioFile: melodyAudioSlot.tooLargeMessage } : {}),
});

/** The server's error messages, by field. */
export function refusedIn(error: unknown): MelodyProblems {
  const known = issuesOf(error).filter(({ path }) => FIELDS.some((field) => field === path));
  return Object.fromEntries(known.map(({ path, message }) => [path, message]));
}

/** Initial content of the form: the melody's, or empty for a new one. */
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
 * The fields that were changed: only these are sent, so that changes by somebody else meanwhile stay. An empty level is
 * not a change.
 */
export function changedIn(typed: TypedMelody, from: TypedMelody): Partial<TypedMelody> {
  const fields = Object.keys(from) as (keyof TypedMelody)[];
  const isOther = (field: keyof TypedMelody) =>
    typed[field] !== from[field] && !(field === 'transmissionLevelId' && typed[field] === '');
  return Object.fromEntries(fields.filter(isOther).map((field) => [field, typed[field]]));
}

/** The melody's fields, with what was typed before and never saved. */
export const melodyDraft = (melody: Melody | null): DraftOptions<TypedMelody> => ({
  of: melody === null ? 'new melody' : `melody ${melody.id}`,
  begin: (kept) => ({ ...typedOf(melody), ...kept }),
  keep(typed) {
    const changed = changedIn(typed, typedOf(melody));
    return Object.keys(changed).length === 0 ? null : changed;
  },
});

const isTooLarge = (file: FileChoice, { tooLargeFrom }: { tooLargeFrom: number }) =>
  file instanceof File && file.size >= tooLargeFrom;
