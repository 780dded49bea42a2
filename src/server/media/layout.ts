import { join } from 'node:path';

/** Returns the folder of the media store on disk. */
export const getMediaFolder = (dataDir: string) => join(dataDir, 'media');

// Paths inside a media store. They are the same on disk and in S3, so that media can be moved from disk to S3,
// or back, by a plain copy.

/** Returns a file's path. Files are in 256 folders, named after the first two characters of the file names. */
export const getMediaFilePath = (name: string) => `${name.slice(0, 2)}/${name}`;

/**
 * Returns whether this could be the name of a stored file. Such names are ASCII, so sorting by name, by bytes
 * or by path gives the same order.
 */
export const isMediaFileName = (name: string) => /^[\w.-]{3,}$/.test(name);

/** Folder for files set aside, with a subfolder per day. */
export const SET_ASIDE_FOLDER = 'set-aside';
export const SET_ASIDE_DAY_PATTERN = /^\d{4,6}-\d\d-\d\d$/;

/** Name of the file that contains the installation's id. The file never changes while the store is in use. */
export const INSTALLATION_FILE = 'installation';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isInstallationId = (id: string) => UUID.test(id);
