import { join } from 'node:path';

/** The media store on disk. */
export const mediaFolderIn = (dataDir: string) => join(dataDir, 'media');

// Where everything is in a media store, on disk and in S3 alike: whoever moves from one to the other copies it.

/** Of a file: 256 folders by the first two characters of the names. */
export const pathOf = (name: string) => `${name.slice(0, 2)}/${name}`;

/** As one that we could have given. In ASCII alone, the order of the names is that of their bytes and of their paths. */
export const isName = (name: string) => /^[\w.-]{3,}$/.test(name);

/** Files set aside, in a folder per day. */
export const ASIDE = 'set-aside';
export const DAY = /^\d{4,6}-\d\d-\d\d$/;

/** Identifies whose files these are; one line, for the lifetime of the store. */
export const INSTALLATION = 'installation';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isInstallationId = (id: string) => UUID.test(id);
