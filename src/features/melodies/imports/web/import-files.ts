import { getFileName, removeExtension } from '#features/melodies/web/file-name.ts';

/** File with its path in the chosen folder. */
export type FolderFile = { path: string; file: File };

export type ImportFileKind = 'sound' | 'picture' | 'words' | 'times' | 'table';

const EXTENSIONS: Record<ImportFileKind, string> = {
  sound: 'mp3 wav m4a mp4 aac ogg oga opus flac wma aif aiff webm',
  picture: 'jpg jpeg png webp gif avif heic',
  words: 'txt text md',
  times: 'lrc',
  table: 'csv tsv xlsx',
};
/**
 * Formats that the library accepts. Other audio files and pictures are listed as unusable, so that the teacher
 * notices them.
 */
const ACCEPTED_FILES: Partial<Record<ImportFileKind, RegExp>> = {
  sound: /\.(mp3|wav|m4a|mp4)$/i,
  picture: /\.(jpe?g|png|webp|gif|avif)$/i,
};

/** Returns the kind of a file, judging by its name; null if imports ignore the file. */
export function getImportFileKind(path: string): ImportFileKind | null {
  const name = getFileName(path);
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  // Skips hidden files, such as '._Refuge.mp3', in which macOS stores metadata about 'Refuge.mp3'.
  if (name.startsWith('.') || /^(readme|license|thumbs)\b/i.test(name)) return null;
  return (
    (Object.keys(EXTENSIONS) as ImportFileKind[]).find((kind) =>
      EXTENSIONS[kind].split(' ').includes(ending),
    ) ?? null
  );
}

/** Returns whether the library accepts the file, judging by its name. */
export const isAcceptedImportFile = (path: string, kind: ImportFileKind) =>
  ACCEPTED_FILES[kind]?.test(path) ?? true;

const getFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Normalizes a name: '03 - Seven_Line Prayer.mp3' and 'seven line prayer.TXT' then differ only in number and
 * extension.
 */
export const normalizeFileName = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_\-–—.,;:'’"()[\]]+/g, ' ')
    .trim();
const removeNumber = (name: string) => normalizeFileName(name).replace(/^\d{1,3} (?=\S)/, '');

export type MelodyFileGroup = {
  /** Path of the melody's audio file. */
  key: string;
  sound: FolderFile;
  picture: FolderFile | null;
  words: FolderFile | null;
  times: FolderFile | null;
};

/**
 * Creates one group per audio file, ordered by path, with the other files of the same name. `unmatchedFiles`
 * contains the files that are in no group, including audio files and pictures in unsupported formats.
 */
export function groupFilesByMelody(files: readonly FolderFile[]): {
  groups: MelodyFileGroup[];
  unmatchedFiles: FolderFile[];
} {
  const of = (kind: ImportFileKind) =>
    files.filter(({ path }) => getImportFileKind(path) === kind && isAcceptedImportFile(path, kind));
  const sounds = of('sound').sort((a, b) => nameCollator.compare(a.path, b.path));
  const groups: MelodyFileGroup[] = sounds.map((sound) => ({
    ...{ key: sound.path, sound, picture: null, words: null, times: null },
  }));
  const left = files.filter(({ path }) => {
    const kind = getImportFileKind(path);
    return kind !== null && !isAcceptedImportFile(path, kind);
  });
  for (const kind of ['picture', 'words', 'times'] as const) {
    let waiting = of(kind);
    for (const nameIn of NAME_KEYS) {
      const names = groups.map(({ key }) => nameIn(key));
      waiting = waiting.filter((file) => {
        const name = nameIn(file.path);
        const found = groups.filter((_, index) => names[index] === name);
        // A file that matches several groups stays unmatched, and a group keeps its first file of each kind.
        if (found.length !== 1 || found[0]![kind] !== null) return true;
        found[0]![kind] = file;
        return false;
      });
    }
    left.push(...waiting);
  }
  return { groups, unmatchedFiles: left };
}

/**
 * Functions that return the name to compare, strictest first: folder and file name, file name, file name
 * without its leading number.
 */
const NAME_KEYS: readonly ((path: string) => string)[] = [
  (path) => getFolder(path) + normalizeFileName(removeExtension(getFileName(path))),
  (path) => normalizeFileName(removeExtension(getFileName(path))),
  (path) => removeNumber(removeExtension(getFileName(path))),
];

const nameCollator = new Intl.Collator('en', { numeric: true });
