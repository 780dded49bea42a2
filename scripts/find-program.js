import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemPathFolders } from './run.js';

/**
 * Finds a program on the PATH.
 * @param {string} name
 * @returns {string | null} its path; null if it is not installed
 */
export function findProgram(name) {
  return (
    getSystemPathFolders()
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
}

/**
 * Explains which programs are missing on this machine.
 * @param {string[]} programs
 * @param {string} packages Debian packages that contain the programs
 * @returns {string | null} part of a sentence; null if all programs are present
 */
export function explainMissingPrograms(programs, packages) {
  const missing = programs.filter((name) => !findProgram(name));
  if (missing.length === 0) return null;
  return `there is no ${missing.join(', ')} (Debian: apt-get install --no-install-recommends ${packages})`;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
