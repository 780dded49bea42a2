import type { Level } from '#features/people/levels/contract.ts';
import { resolveLevelNames } from '#features/people/levels/web/level-names.ts';
import {
  MAX_MELODY_DESCRIPTION_LENGTH,
  MAX_MELODY_TITLE_LENGTH,
  MAX_VIDEO_URL_LENGTH,
} from '#features/melodies/limits.ts';
import type { MelodyImportDraft, MelodyImportRow } from './import-draft.ts';
import type { MelodySource } from './read-melody-source.ts';

export type MelodyImportRowStatusKind =
  | 'matched'
  | 'missing'
  | 'doubled'
  | 'wrong'
  | 'away'
  | 'added'
  | 'failed';

/** State of a row, and the text that explains it. */
export type MelodyImportRowStatus = { kind: MelodyImportRowStatusKind; text: string };

/** Inputs for the plan: data about the chosen files and about the library. */
export type MelodyImportPlanInput = {
  sources: ReadonlyMap<string, MelodySource>;
  /** SHA-256 hashes computed so far for the audio files, by row key. */
  hashes: ReadonlyMap<string, string>;
  /** Titles of melodies in the library, by the SHA-256 hash of their audio. */
  sounds: ReadonlyMap<string, string>;
  /** Titles of rows that are already in the library. */
  titles: ReadonlySet<string>;
};

/**
 * Returns the level chosen for a row, otherwise the level named in the table. The level chosen for the whole
 * import applies only to rows without a level name, because a melody with an unknown level name must not become
 * audible to everyone.
 * @returns null if the teacher must still choose a level
 */
export function resolveLevelId(
  row: MelodyImportRow,
  current: MelodyImportDraft,
  levels: readonly Level[],
): number | null {
  const named =
    row.levelName === '' ? null : resolveLevelNames([row.levelName], levels, current.levelMeanings);
  const chosen = row.levelId ?? (named ? (named.ids[0] ?? null) : current.levelId);
  return levels.some(({ id }) => id === chosen) ? chosen : null;
}

export function getMelodyImportRowStatuses(
  current: MelodyImportDraft,
  levels: readonly Level[],
  known: MelodyImportPlanInput,
): MelodyImportRowStatus[] {
  const firstWith = new Map<string, number>();
  return current.rows.map((row, index) => {
    const hash = known.hashes.get(row.key);
    const first = hash === undefined ? undefined : firstWith.get(hash);
    if (hash !== undefined && first === undefined) firstWith.set(hash, index);
    return getRowStatus(row, resolveLevelId(row, current, levels), known, first);
  });
}

function getRowStatus(
  row: MelodyImportRow,
  levelId: number | null,
  known: MelodyImportPlanInput,
  first: number | undefined,
): MelodyImportRowStatus {
  if (row.outcome?.kind === 'added') {
    const { pictureRefusal } = row.outcome;
    return { kind: 'added', text: pictureRefusal ? `Added without its picture. ${pictureRefusal}` : 'Added' };
  }
  const source = known.sources.get(row.key);
  if (!source) return { kind: 'away', text: 'Choose the folder again' };
  const wrong = describeRowProblem(row, source, levelId);
  if (wrong !== null) return { kind: 'wrong', text: wrong };
  if (row.outcome) return { kind: 'failed', text: row.outcome.text };
  const doubled = row.isTried ? null : describeDuplicate(row, known, first);
  if (doubled !== null) return { kind: 'doubled', text: doubled };
  const missing = [!source.sound && 'Audio', !source.words && (source.sound ? 'Words' : 'words')];
  if (source.notes.length > 0) return { kind: 'missing', text: source.notes.join(' ') };
  if (missing.some(Boolean))
    return { kind: 'missing', text: `${missing.filter(Boolean).join(' and ')} missing` };
  return { kind: 'matched', text: 'Complete' };
}

function describeDuplicate(
  row: MelodyImportRow,
  known: MelodyImportPlanInput,
  first: number | undefined,
): string | null {
  const knownMelody = known.sounds.get(known.hashes.get(row.key) ?? '');
  if (first !== undefined) return `Same audio as row ${first + 1}`;
  if (knownMelody !== undefined) return `Same audio as “${knownMelody}” in the library`;
  return known.titles.has(row.title) ? 'Title already in the library' : null;
}

function describeRowProblem(
  { title, levelName }: MelodyImportRow,
  source: MelodySource,
  levelId: number | null,
): string | null {
  if (title.trim() === '') return 'Title missing';
  if (title.length > MAX_MELODY_TITLE_LENGTH) return 'Title too long';
  if (source.description.length > MAX_MELODY_DESCRIPTION_LENGTH) return 'Description too long';
  if (
    source.video !== '' &&
    (source.video.length > MAX_VIDEO_URL_LENGTH || !/^https?:\/\/\S+$/i.test(source.video))
  )
    return 'Video URL isn’t valid';
  if (source.soundRefusal !== null) return source.soundRefusal;
  if (levelId === null) return levelName === '' ? 'Level missing' : `Unknown level “${levelName}”`;
  return null;
}

/** Returns whether a row will be added. Duplicates are added only if the teacher has ticked them. */
export const isMelodyImportRowSelected = ({ isLeftOut }: MelodyImportRow, { kind }: MelodyImportRowStatus) =>
  kind === 'matched' || kind === 'missing' || kind === 'failed'
    ? isLeftOut !== true
    : kind === 'doubled' && isLeftOut === false;
