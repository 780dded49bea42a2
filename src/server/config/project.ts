import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of this project, whether the program runs from its sources or from the build. */
export const projectFolder = findPackageFolder(import.meta.dirname);

/** Version in package.json. */
export const { version: programVersion } = JSON.parse(
  readFileSync(join(projectFolder, 'package.json'), 'utf8'),
) as { version: string };

/** Output of the build: the pages, and in `.server` the program that serves them. */
export const buildFolder = join(projectFolder, 'dist', 'web');

function findPackageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageFolder(dirname(folder));
}
