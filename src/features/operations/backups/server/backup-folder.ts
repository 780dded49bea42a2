import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDiskStore } from '#server/media/disk-store.ts';
import { getMediaFilePath } from '#server/media/layout.ts';

// BACKUP_DIR contains one archive per night, and a folder with the media that these archives list. Nightly backups
// share the media, because the content of a media file never changes.

const NIGHTLY_BACKUP = /^yangchen-\d{4}-\d\d-\d\d\.tar(\.age)?$/;

/** Returns the names of the nightly backups in a folder, oldest first. */
export const listNightlyBackups = async (folder: string) =>
  (await readdir(folder)).filter((name) => NIGHTLY_BACKUP.test(name)).sort();

export const getSharedMediaFolder = (backupFolder: string) => join(backupFolder, 'media');

export const openSharedMedia = (backupFolder: string) =>
  openDiskStore(getSharedMediaFolder(backupFolder), () => Promise.resolve());

/** Returns the path of a copy that the nightly backup at `backupPath` shares with others. */
export const getSharedMediaPath = (backupPath: string, copy: string) =>
  join(getSharedMediaFolder(dirname(backupPath)), getMediaFilePath(copy));
