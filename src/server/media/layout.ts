import { join } from 'node:path';

/** Returns the folder of the media store on disk. */
export const getMediaFolder = (dataDir: string) => join(dataDir, 'media');

// Paths inside a media store. They are the same on disk and in S3, so that moving from one to the other is a plain
// copy.

/** Returns a file's path. There are 256 folders, named after the first two characters of the names. */
export const getFilePath = (name: string) => `${name.slice(0, 2)}/${name}`;

/**
 * Returns whether this could be one of our names. They are pure ASCII, so sorting by name, by bytes and by path is
 * the same.
 */
export const isFileName = (name: string) => /^[\w.-]{3,}$/.test(name);

/** Folder of the files set aside, with a subfolder per day. */
export const SET_ASIDE_FOLDER = 'set-aside';
export const DAY_PATTERN = /^\d{4,6}-\d\d-\d\d$/;

/** File that identifies the installation, in one line. It never changes during the store's lifetime. */
export const INSTALLATION_FILE = 'installation';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isInstallationId = (id: string) => UUID.test(id);
