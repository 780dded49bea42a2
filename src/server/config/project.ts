import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of this project, whether the program runs from its sources or from the build. */
export const projectFolder = findPackageFolder(import.meta.dirname);

const description = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  version: string;
  release?: string;
};

/** Version in package.json. */
export const programVersion = description.version;

/** Whether the program was unpacked from a release archive, in which there is no npm. */
export const isRelease = description.release !== undefined;

/** Output of the build: the pages, and in `.server` the program that serves them. */
export const buildFolder = join(projectFolder, 'dist', 'web');

function findPackageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageFolder(dirname(folder));
}
