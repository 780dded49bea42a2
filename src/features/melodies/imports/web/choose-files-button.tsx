import { type RefObject, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { FolderFile } from './import-files.ts';

type ChooseFilesButtonProps = {
  label: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly FolderFile[]) => void;
  isBusy: boolean;
  isPrimary?: boolean;
};

/** Button that opens the browser's file dialog. */
export function ChooseFilesButton({
  label,
  inputRef,
  onFiles,
  isBusy,
  isPrimary = false,
}: ChooseFilesButtonProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        busy={isBusy}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={({ target }) => {
          if (target.files && target.files.length > 0) onFiles(toFolderFiles(target.files));
          target.value = '';
        }}
      />
    </>
  );
}

/** Returns the files chosen in a file dialog, with their paths if a folder was chosen. */
const toFolderFiles = (list: FileList): FolderFile[] =>
  [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** Returns the dropped files, and all files in dropped folders. */
export async function readDroppedFiles(items: DataTransferItemList): Promise<FolderFile[]> {
  // Must be read synchronously: the list is empty after the first await.
  const entries = [...items].flatMap((item: Partial<DataTransferItem>) => item.webkitGetAsEntry?.() ?? []);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<FolderFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: FolderFile[] = [];
  for (;;) {
    // readEntries returns at most 100 entries per call.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return found;
    for (const each of entries) found.push(...(await readEntry(each)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
