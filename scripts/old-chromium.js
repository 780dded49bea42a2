import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds of Chromium that `npm run test:browsers` fetches from the npm registry: the oldest supported version,
 * and an older version. `111.0.0` is Chromium 111.0.5555, `92.0.0` is 92.0.4512.
 */
export const OLD_CHROMIUMS = {
  111: {
    version: '111.0.0',
    integrity:
      'sha512-h68PUvW3tz3vZxYa/XxpHdudZ65p6zejBcBdW6qwsJ3xHR4d6myclK+E3stQd3epnPNVZAf/rDf37njG1VjNWg==',
  },
  92: {
    version: '92.0.0',
    integrity:
      'sha512-xCFop83v5gXKQTDGNfzj84F4f9QZkY9eShTu1pbWYOPB6wJNw9YgoX56zeVeRD7VL9AVwiS9VS9tgShnc5uR2g==',
  },
};

/** @typedef {keyof typeof OLD_CHROMIUMS} OldChromium */

const project = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the folder of an old Chromium. Reinstalling the dependencies deletes it.
 * @param {OldChromium} major
 */
export const getOldChromiumFolder = (major) =>
  join(project, 'node_modules', '.cache', 'old-chromium', String(major));

/**
 * @param {OldChromium} major
 * @returns {string | null} its path; null if it has not been fetched
 */
export function findOldChromium(major) {
  const path = join(getOldChromiumFolder(major), 'chromium');
  return existsSync(path) ? path : null;
}
