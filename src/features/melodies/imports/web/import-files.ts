import { nameOf, withoutEnding } from '#features/melodies/web/file-name.ts';

/** A file of a folder, with its path in it. */
export type FolderFile = { path: string; file: File };

export type FileKind = 'sound' | 'picture' | 'words' | 'times' | 'table';

const KINDS: Record<FileKind, string> = {
  sound: 'mp3 wav m4a mp4 aac ogg oga opus flac wma aif aiff webm',
  picture: 'jpg jpeg png webp gif avif heic',
  words: 'txt text md',
  times: 'lrc',
  table: 'csv tsv xlsx',
};
/** What the library takes; other sounds and pictures are named, so that nobody misses them. */
const TAKEN: Partial<Record<FileKind, RegExp>> = {
  sound: /\.(mp3|wav|m4a|mp4)$/i,
  picture: /\.(jpe?g|png|webp|gif|avif)$/i,
};

/** What a file is for, by its name alone; null for what is none of these. */
export function kindOf(path: string): FileKind | null {
  const name = nameOf(path);
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  // '._Refuge.mp3' holds what macOS notes of the file.
  if (name.startsWith('.') || /^(readme|license|thumbs)\b/i.test(name)) return null;
  return (Object.keys(KINDS) as FileKind[]).find((kind) => KINDS[kind].split(' ').includes(ending)) ?? null;
}

/** Whether the library takes such a file, as its name has it. */
export const isTaken = (path: string, kind: FileKind) => TAKEN[kind]?.test(path) ?? true;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** '03 - Seven_Line Prayer.mp3' and 'seven line prayer.TXT' differ in their number alone. */
export const plain = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_\-–—.,;:'’"()[\]]+/g, ' ')
    .trim();
const withoutNumber = (name: string) => plain(name).replace(/^\d{1,3} (?=\S)/, '');

/** What belongs together in a folder. */
export type Group = {
  /** The path of its sound. */
  key: string;
  sound: FolderFile;
  picture: FolderFile | null;
  words: FolderFile | null;
  times: FolderFile | null;
};

/** One group for each sound, in the order of their names, with the files of the same name; and what is left. */
export function groupsOf(files: readonly FolderFile[]): { groups: Group[]; left: FolderFile[] } {
  const of = (kind: FileKind) => files.filter(({ path }) => kindOf(path) === kind && isTaken(path, kind));
  const sounds = of('sound').sort((a, b) => byName.compare(a.path, b.path));
  const groups: Group[] = sounds.map((sound) => ({
    ...{ key: sound.path, sound, picture: null, words: null, times: null },
  }));
  const left = files.filter(({ path }) => {
    const kind = kindOf(path);
    return kind !== null && !isTaken(path, kind);
  });
  for (const kind of ['picture', 'words', 'times'] as const) {
    let waiting = of(kind);
    for (const nameIn of WAYS) {
      const names = groups.map(({ key }) => nameIn(key));
      waiting = waiting.filter((file) => {
        const name = nameIn(file.path);
        const found = groups.filter((_, index) => names[index] === name);
        // Where two could be meant, a closer way has to tell.
        if (found.length !== 1 || found[0]![kind] !== null) return true;
        found[0]![kind] = file;
        return false;
      });
    }
    left.push(...waiting);
  }
  return { groups, left };
}

/** From the closest on: the same folder and name, the same name, the same but for a number before it. */
const WAYS: readonly ((path: string) => string)[] = [
  (path) => folderOf(path) + plain(withoutEnding(nameOf(path))),
  (path) => plain(withoutEnding(nameOf(path))),
  (path) => withoutNumber(withoutEnding(nameOf(path))),
];

const byName = new Intl.Collator('en', { numeric: true });
