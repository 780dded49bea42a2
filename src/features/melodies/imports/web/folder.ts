import type { FolderFile } from './import-files.ts';

/** The files that were chosen in a file dialog, with their paths if a folder was chosen. */
export const chosenFiles = (list: FileList): FolderFile[] =>
  [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** The files that were dropped, and all in the folders that were. */
export async function droppedFiles(items: DataTransferItemList): Promise<FolderFile[]> {
  // All at once: the list is empty after the first wait.
  const entries = [...items].flatMap((item: Partial<DataTransferItem>) => item.webkitGetAsEntry?.() ?? []);
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<FolderFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: FolderFile[] = [];
  for (;;) {
    // A hundred at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return found;
    for (const each of entries) found.push(...(await filesIn(each)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
