import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemPath } from './run.js';

/**
 * The Chromium for the tests: `CHROMIUM_PATH`, else the first one on the PATH; one without windows by preference,
 * because it takes a third of the processor's time to open and close a page.
 * @returns {string | null} its path, or null if the test runner's own download is to be used.
 */
export function findChromium() {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  return names.map(findProgram).find((path) => path !== null) ?? null;
}

/**
 * @param {string} name
 * @returns {string | null} the path of a program on the PATH
 */
export function findProgram(name) {
  return (
    systemPath()
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
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
