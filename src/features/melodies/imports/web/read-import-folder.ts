import { TableError } from '#web/tables/table.ts';
import { readTable } from '#web/tables/read-table.ts';
import { MAX_IMPORTED_MELODIES } from '../limits.ts';
import { getFileName, getTitleFromPath } from '#features/melodies/web/file-name.ts';
import { NO_AUDIO_TAGS, readAudioTags } from '#features/melodies/web/read-audio-tags.ts';
import {
  type ImportFileKind,
  type FolderFile,
  groupFilesByMelody,
  isAcceptedImportFile,
  getImportFileKind,
} from './import-files.ts';
import { matchRowsToSounds, parseImportTable, type ImportTableRow } from './import-table.ts';
import { readMelodySource, type MelodySource } from './read-melody-source.ts';

const MAX_TABLE_BYTES = 20 * 1024 * 1024;

export type ImportFolder = {
  sources: readonly MelodySource[];
  /** Summary of the files found: '150 audio files · 148 texts'. */
  contents: string;
  /** Names of files that can’t be used, each with the reason. */
  unusedFiles: readonly string[];
};

/** Thrown for files that can't be imported; the message is shown to the user. */
export class ImportFolderError extends Error {}

/**
 * Reads all melodies of a folder, one after the other.
 * @throws ImportFolderError if there are no melodies or too many; TableError if the table can't be used
 */
export async function readImportFolder(
  files: readonly FolderFile[],
  onProgress: (done: number, of: number) => void,
): Promise<ImportFolder> {
  const known = files.filter(({ path }) => getImportFileKind(path) !== null);
  const { groups, unmatchedFiles } = groupFilesByMelody(known);
  const rows = await readTableRows(known);
  if (groups.length === 0 && rows.length === 0)
    throw new ImportFolderError('No MP3, WAV or M4A files were found.');
  if (groups.length + rows.length > MAX_IMPORTED_MELODIES * 2 || groups.length > MAX_IMPORTED_MELODIES)
    throw new ImportFolderError(
      `You can import up to ${MAX_IMPORTED_MELODIES} melodies at once. Please choose fewer.`,
    );
  const tags = new Map<string, Awaited<ReturnType<typeof readAudioTags>>>();
  for (const { key, sound } of groups) {
    onProgress(tags.size, groups.length);
    tags.set(key, await readAudioTags(sound.file));
  }
  const titles = groups.map(({ key }) => ({ key, title: tags.get(key)?.title ?? getTitleFromPath(key) }));
  const rowOf = matchRowsToSounds(rows, titles);
  // Matches the remaining rows by the titles in the file names, because the title in a file's tags may differ
  // from that in the table.
  for (const [key, row] of matchRowsToSounds(
    rows.filter((each) => ![...rowOf.values()].includes(each)),
    groups.filter(({ key }) => !rowOf.has(key)).map(({ key }) => ({ key, title: getTitleFromPath(key) })),
  ))
    rowOf.set(key, row);
  const named = indexByName(known);
  const sources: MelodySource[] = [];
  const usedFiles = new Set<FolderFile | null>();
  for (const group of groups) {
    const row = rowOf.get(group.key) ?? null;
    const withNamed = withNamedFiles(group, row, named);
    usedFiles.add(withNamed.picture).add(withNamed.words);
    sources.push(
      await readMelodySource(group.key, {
        group: withNamed,
        row: row && removeFileNames(row),
        tags: tags.get(group.key) ?? NO_AUDIO_TAGS,
      }),
    );
  }
  const used = new Set(rowOf.values());
  for (const row of rows.filter((each) => !used.has(each) && each.title !== ''))
    sources.push(
      await readMelodySource(`row ${row.row}`, {
        group: null,
        row: removeFileNames(row),
        tags: NO_AUDIO_TAGS,
      }),
    );
  return {
    sources,
    contents: describeContents(known),
    unusedFiles: unmatchedFiles
      .filter((file) => !usedFiles.has(file))
      .map(({ path }) => describeUnusedFile(path)),
  };
}

/** Returns a file's name with the reason why it can't be used. */
function describeUnusedFile(path: string): string {
  const kind = getImportFileKind(path);
  if (kind === 'sound' && !isAcceptedImportFile(path, kind))
    return `${getFileName(path)} (not MP3, WAV or M4A)`;
  if (kind === 'picture' && !isAcceptedImportFile(path, kind))
    return `${getFileName(path)} (not JPEG, PNG, WebP, GIF or AVIF)`;
  return `${getFileName(path)} (no melody has this name)`;
}

async function readTableRows(files: readonly FolderFile[]): Promise<ImportTableRow[]> {
  const table = files.find(({ path }) => getImportFileKind(path) === 'table');
  if (!table) return [];
  const rows = parseImportTable(await readTable(table.file, MAX_TABLE_BYTES));
  if (!rows) throw new TableError(`${getFileName(table.path)} has no column named “Title”.`);
  return rows;
}

type FilesByName = ReadonlyMap<string, FolderFile>;

const indexByName = (files: readonly FolderFile[]): FilesByName =>
  new Map(files.map((file) => [getFileName(file.path).toLowerCase(), file]));

/** Replaces the group's picture and words with the files that the table row refers to, if they exist. */
function withNamedFiles<G extends { picture: FolderFile | null; words: FolderFile | null }>(
  group: G,
  row: ImportTableRow | null,
  named: FilesByName,
): G {
  const picture = named.get(row?.picture.toLowerCase() ?? '');
  const words = named.get(row?.words.toLowerCase() ?? '');
  return { ...group, picture: picture ?? group.picture, words: words ?? group.words };
}

const removeFileNames = (row: ImportTableRow): ImportTableRow =>
  /^[^\n]+\.(txt|lrc)$/i.test(row.words) ? { ...row, words: '' } : row;

function describeContents(files: readonly FolderFile[]): string {
  const count = (kind: ImportFileKind) =>
    files.filter(({ path }) => getImportFileKind(path) === kind && isAcceptedImportFile(path, kind)).length;
  const kinds = [
    [count('sound'), 'audio file', 'audio files'],
    [count('words'), 'text', 'texts'],
    [count('times'), 'timing file', 'timing files'],
    [count('picture'), 'picture', 'pictures'],
    [count('table'), 'table', 'tables'],
  ] as const;
  return kinds
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`)
    .join(' · ');
}
