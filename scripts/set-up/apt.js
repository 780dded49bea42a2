import { findProgram } from '../find-program.js';
import { run } from '../run.js';

export const mayInstallByApt = () => process.getuid?.() === 0 && findProgram('apt-get') !== null;

/**
 * One package at a time, so that an unavailable one does not prevent the other.
 * @param {string[]} packages
 */
export async function installByApt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env });
  for (const name of packages)
    await run('apt-get', ['install', '-y', '--no-install-recommends', name], { env });
}
