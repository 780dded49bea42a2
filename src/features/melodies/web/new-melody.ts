import type { CallError } from '../../../platform/web/call.ts';
import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../limits.ts';

/** What is typed into the form, as it is typed. */
export type TypedMelody = {
  title: string;
  description: string;
  melodyText: string;
  transmissionLevelId: string;
  vimeoUrl: string;
};
export type MelodyFiles = { thumbnail: File | null; audioFile: File | null };
export type MelodyField = keyof TypedMelody | keyof MelodyFiles;
export type MelodyProblems = { [F in MelodyField]?: string | undefined };

export const EMPTY_MELODY: TypedMelody = {
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

export const firstOf = (problems: MelodyProblems) => FIELDS.find((field) => problems[field] !== undefined);

export const missingIn = ({ title, transmissionLevelId }: TypedMelody): MelodyProblems => ({
  ...(title.trim() === '' ? { title: 'Title is required' } : {}),
  ...(transmissionLevelId === '' ? { transmissionLevelId: 'Transmission level is required' } : {}),
});

export const tooLargeIn = ({ thumbnail, audioFile }: MelodyFiles): MelodyProblems => ({
  ...(isTooLarge(thumbnail, melodyThumbnailSlot) ? { thumbnail: melodyThumbnailSlot.tooLargeMessage } : {}),
  ...(isTooLarge(audioFile, melodyAudioSlot) ? { audioFile: melodyAudioSlot.tooLargeMessage } : {}),
});

/** The server's complaints by field. It does not name the file that it refuses, but one alone must be it. */
export function refusedIn({ issues, status, serverMessage }: CallError, files: MelodyFiles): MelodyProblems {
  const sent = (['thumbnail', 'audioFile'] as const).filter((name) => files[name] !== null);
  const isAboutFile = status === 413 || status === 415;
  if (isAboutFile && serverMessage && sent.length === 1) return { [sent[0]!]: serverMessage };
  const known = issues.filter(({ path }) => FIELDS.some((field) => field === path));
  return Object.fromEntries(known.map(({ path, message }) => [path, message]));
}

export const keptMelody = (userId: string): TypedMelody => {
  const kept = keptText(userId, DRAFT);
  return kept === '' ? EMPTY_MELODY : { ...EMPTY_MELODY, ...(JSON.parse(kept) as Partial<TypedMelody>) };
};

export const keepMelody = (userId: string, typed: TypedMelody) =>
  keepText(userId, DRAFT, Object.values(typed).some(Boolean) ? JSON.stringify(typed) : '');

const DRAFT = 'new melody';

const isTooLarge = (file: File | null, { tooLargeFrom }: { tooLargeFrom: number }) =>
  file !== null && file.size >= tooLargeFrom;
