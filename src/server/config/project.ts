import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of this project, both when run from its sources and from the build. */
export const projectFolder = findPackageFolder(import.meta.dirname);

/** The version in package.json. */
export const { version: programVersion } = JSON.parse(
  readFileSync(join(projectFolder, 'package.json'), 'utf8'),
) as { version: string };

/** Output of the build: the pages, and the program that serves them in `.server`. */
export const buildFolder = join(projectFolder, 'dist', 'web');

function findPackageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageFolder(dirname(folder));
}
