import type { Settings } from '../config/settings.ts';
import { openDataFolder, type DataFolder } from '../data-folder/data-folder.ts';
import type { Log } from '../log.ts';
import { openDiskStore } from './disk-store.ts';
import { getMediaFolder } from './layout.ts';
import { describeS3Store } from './s3/settings.ts';
import type { MediaStore } from './store.ts';

/** Place where media are stored, described for the operator. */
export type MediaLocation = {
  name: string;
  /** Names of the settings that determine the place. */
  setting: string;
  /** Advice if the media are missing there, for example because a disk is not mounted. */
  putBack: string;
};

export function describeMediaLocation({ s3, dataDir }: Pick<Settings, 's3' | 'dataDir'>): MediaLocation {
  if (s3) {
    const setting = 'S3_BUCKET and S3_PREFIX';
    return {
      name: describeS3Store(s3),
      setting,
      putBack: `Put them back, or set ${setting} to where they are`,
    };
  }
  return {
    name: getMediaFolder(dataDir),
    setting: 'DATA_DIR',
    putBack: 'Mount its disk or put it back, or set DATA_DIR to where it is',
  };
}

/**
 * Opens the configured media store.
 * @param assertOwnFolder as for `openDiskStore`
 */
export async function openMediaStore(
  { s3, dataDir }: Pick<Settings, 's3' | 'dataDir'>,
  log: Log,
  assertOwnFolder: () => Promise<void>,
): Promise<MediaStore> {
  if (!s3) return openDiskStore(getMediaFolder(dataDir), assertOwnFolder);
  // Loads the SDK on demand, because a server with its media on disk doesn't need it.
  const { openS3Store } = await import('./s3/store.ts');
  return openS3Store(s3, log);
}

/** Opens the data folder and the media store for a command, and releases the folder afterwards. */
export async function withMediaStore<T>(
  settings: Settings,
  log: Log,
  use: (store: MediaStore, dataFolder: DataFolder) => Promise<T>,
): Promise<T> {
  const folder = await openDataFolder(settings, log);
  try {
    return await use(await openMediaStore(settings, log, folder.check), folder);
  } finally {
    await folder.release();
  }
}
