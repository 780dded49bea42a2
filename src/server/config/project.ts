import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this project, from its sources and from the build alike. */
export const projectFolder = folderOfPackage(import.meta.dirname);

/** As in package.json. */
export const { version: programVersion } = JSON.parse(
  readFileSync(join(projectFolder, 'package.json'), 'utf8'),
) as { version: string };

/** The build's output: the pages, with the program that serves them in `.server`. */
export const buildFolder = join(projectFolder, 'dist', 'web');

function folderOfPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderOfPackage(dirname(folder));
}
