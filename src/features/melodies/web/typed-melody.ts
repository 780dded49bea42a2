import type { CallError } from '../../../platform/web/call.ts';
import type { DraftOptions } from '../../../platform/web/drafts/draft.ts';
import { isTooLong } from '../../../platform/web/ui/text-limit.tsx';
import type { Melody } from '../contract.ts';
import {
  MELODY_DESCRIPTION_MAX,
  MELODY_TEXT_MAX,
  MELODY_TITLE_MAX,
  melodyAudioSlot,
  melodyThumbnailSlot,
  VIDEO_URL_MAX,
} from '../limits.ts';

/** What is typed into the form, as it is typed. */
export type TypedMelody = {
  title: string;
  description: string;
  melodyText: string;
  transmissionLevelId: string;
  vimeoUrl: string;
};
/** A new file, none in place of the present one, or null: as it is. */
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

/** In the order in which they stand on the page. */
const FIELDS: readonly MelodyField[] = [
  'title',
  'description',
  'melodyText',
  'transmissionLevelId',
  'thumbnail',
  'vimeoUrl',
  'audioFile',
];

export const firstOf = (problems: MelodyProblems, others: readonly MelodyField[] = []) =>
  FIELDS.find((field) => problems[field] !== undefined || others.includes(field));

export const TITLE_MISSING = 'Title is required';

/** A melody that is there already has its level, and keeps it when none is chosen. */
export const missingIn = (
  { title, transmissionLevelId }: TypedMelody,
  melody: Melody | null,
): MelodyProblems => ({
  ...(title.trim() === '' ? { title: TITLE_MISSING } : {}),
  ...(melody === null && transmissionLevelId === ''
    ? { transmissionLevelId: 'Transmission level is required' }
    : {}),
});

export const textLimits = {
  title: MELODY_TITLE_MAX,
  description: MELODY_DESCRIPTION_MAX,
  melodyText: MELODY_TEXT_MAX,
  vimeoUrl: VIDEO_URL_MAX,
} satisfies { [F in keyof TypedMelody]?: number };

/** The fields say so themselves while one types, and as long as it is so. */
export function tooLongIn(typed: TypedMelody): MelodyField[] {
  const fields = Object.keys(textLimits) as (keyof typeof textLimits)[];
  return fields.filter((field) => isTooLong(typed[field], textLimits[field]));
}

export const tooLargeIn = ({ thumbnail, audioFile }: MelodyFiles): MelodyProblems => ({
  ...(isTooLarge(thumbnail, melodyThumbnailSlot) ? { thumbnail: melodyThumbnailSlot.tooLargeMessage } : {}),
  ...(isTooLarge(audioFile, melodyAudioSlot) ? { audioFile: melodyAudioSlot.tooLargeMessage } : {}),
});

/** The server's complaints by field. */
export function refusedIn({ issues }: CallError): MelodyProblems {
  const known = issues.filter(({ path }) => FIELDS.some((field) => field === path));
  return Object.fromEntries(known.map(({ path, message }) => [path, message]));
}

/** What the form begins with: the melody as it is, or nothing for a new one. */
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
 * The fields that were changed: only these are sent, so that what somebody else changed meanwhile stays. No level is no
 * other level.
 */
export function changedIn(typed: TypedMelody, from: TypedMelody): Partial<TypedMelody> {
  const fields = Object.keys(from) as (keyof TypedMelody)[];
  const isOther = (field: keyof TypedMelody) =>
    typed[field] !== from[field] && !(field === 'transmissionLevelId' && typed[field] === '');
  return Object.fromEntries(fields.filter(isOther).map((field) => [field, typed[field]]));
}

/** The melody as it is, with what was typed before and never saved. */
export const melodyDraft = (melody: Melody | null): DraftOptions<TypedMelody> => ({
  of: melody === null ? 'new melody' : `melody ${melody.id}`,
  begin: (kept) => ({ ...typedOf(melody), ...(kept as Partial<TypedMelody> | null) }),
  keep(typed) {
    const changed = changedIn(typed, typedOf(melody));
    return Object.keys(changed).length === 0 ? null : changed;
  },
});

const isTooLarge = (file: FileChoice, { tooLargeFrom }: { tooLargeFrom: number }) =>
  file instanceof File && file.size >= tooLargeFrom;
