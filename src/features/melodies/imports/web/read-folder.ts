import { NoTable } from '#web/tables/table.ts';
import { readTable } from '#web/tables/read-table.ts';
import { IMPORT_MAX } from '../limits.ts';
import { nameOf, titleOf } from '#features/melodies/web/file-name.ts';
import { NO_TAGS, readTags } from '#features/melodies/web/read-tags.ts';
import { type FileKind, type FolderFile, groupsOf, isTaken, kindOf } from './import-files.ts';
import { matchRows, rowsOf, type TableRow } from './import-table.ts';
import { readSource, type Source } from './read-source.ts';

const TABLE_BYTES_MAX = 20 * 1024 * 1024;

export type Folder = {
  sources: readonly Source[];
  /** Summary of the files found: '150 sounds · 148 texts'. */
  contents: string;
  /** Files that can’t be used, each with the reason. */
  left: readonly string[];
};

/** Thrown for files that can't be imported; the message is shown to the user. */
export class NoFolder extends Error {}

/**
 * Reads all melodies of a folder, one after the other.
 * @throws NoFolder, NoTable
 */
export async function readFolder(
  files: readonly FolderFile[],
  onProgress: (done: number, of: number) => void,
): Promise<Folder> {
  const known = files.filter(({ path }) => kindOf(path) !== null);
  const { groups, left } = groupsOf(known);
  const rows = await tableIn(known);
  if (groups.length === 0 && rows.length === 0) throw new NoFolder('No MP3, WAV or M4A files were found.');
  if (groups.length + rows.length > IMPORT_MAX * 2 || groups.length > IMPORT_MAX)
    throw new NoFolder(`You can import up to ${IMPORT_MAX} melodies at once. Please choose fewer.`);
  const tags = new Map<string, Awaited<ReturnType<typeof readTags>>>();
  for (const { key, sound } of groups) {
    onProgress(tags.size, groups.length);
    tags.set(key, await readTags(sound.file));
  }
  const titles = groups.map(({ key }) => ({ key, title: tags.get(key)?.title ?? titleOf(key) }));
  const rowOf = matchRows(rows, titles);
  // Match the rest by file name too, in case the tags have another title.
  for (const [key, row] of matchRows(
    rows.filter((each) => ![...rowOf.values()].includes(each)),
    groups.filter(({ key }) => !rowOf.has(key)).map(({ key }) => ({ key, title: titleOf(key) })),
  ))
    rowOf.set(key, row);
  const named = namedFiles(known);
  const sources: Source[] = [];
  for (const group of groups) {
    const row = rowOf.get(group.key) ?? null;
    sources.push(
      await readSource(group.key, {
        group: withNamed(group, row, named),
        row: row && withoutFileNames(row),
        tags: tags.get(group.key) ?? NO_TAGS,
      }),
    );
  }
  const used = new Set(rowOf.values());
  for (const row of rows.filter((each) => !used.has(each) && each.title !== ''))
    sources.push(
      await readSource(`row ${row.row}`, { group: null, row: withoutFileNames(row), tags: NO_TAGS }),
    );
  const usedFiles = new Set(sources.flatMap(({ picture }) => (picture ? [picture] : [])));
  return {
    sources,
    contents: contentsOf(known),
    left: left.filter(({ file }) => !usedFiles.has(file)).map(({ path }) => leftOver(path)),
  };
}

/** Returns a file's name with the reason why it is left over. */
function leftOver(path: string): string {
  const kind = kindOf(path);
  if (kind === 'sound' && !isTaken(path, kind)) return `${nameOf(path)} (not MP3, WAV or M4A)`;
  if (kind === 'picture' && !isTaken(path, kind)) return `${nameOf(path)} (not JPEG, PNG, WebP, GIF or AVIF)`;
  return `${nameOf(path)} (no melody has this name)`;
}

async function tableIn(files: readonly FolderFile[]): Promise<TableRow[]> {
  const table = files.find(({ path }) => kindOf(path) === 'table');
  if (!table) return [];
  const rows = rowsOf(await readTable(table.file, TABLE_BYTES_MAX));
  if (!rows) throw new NoTable(`${nameOf(table.path)} has no column named “Title”.`);
  return rows;
}

type Named = ReadonlyMap<string, FolderFile>;

const namedFiles = (files: readonly FolderFile[]): Named =>
  new Map(files.map((file) => [nameOf(file.path).toLowerCase(), file]));

/** Prefers the files that the table row names, whatever their names are. */
function withNamed<G extends { picture: FolderFile | null; words: FolderFile | null }>(
  group: G,
  row: TableRow | null,
  named: Named,
): G {
  const picture = named.get(row?.picture.toLowerCase() ?? '');
  const words = named.get(row?.words.toLowerCase() ?? '');
  return { ...group, picture: picture ?? group.picture, words: words ?? group.words };
}

const withoutFileNames = (row: TableRow): TableRow =>
  /^[^\n]+\.(txt|lrc)$/i.test(row.words) ? { ...row, words: '' } : row;

function contentsOf(files: readonly FolderFile[]): string {
  const count = (kind: FileKind) =>
    files.filter(({ path }) => kindOf(path) === kind && isTaken(path, kind)).length;
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
