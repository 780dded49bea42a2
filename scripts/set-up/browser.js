import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findChromium } from '../find-chromium.js';
import { findProgram } from '../find-program.js';
import { projectNode, run } from '../run.js';
import { installByApt, mayInstallByApt } from './apt.js';

/**
 * Makes sure that the tests have a Chromium; and tries once to get what they are better off with: the Chromium
 * without windows, and ffmpeg, without which some tests are skipped.
 * @param {string} project
 * @returns {Promise<number>} an exit code
 */
export async function provideBrowser(project) {
  const missing = ['chromium-headless-shell', 'ffmpeg'].filter((name) => !findProgram(name));
  const triedBefore = join(project, 'node_modules', '.cache', 'apt-tried');
  const isWorthATry = !findChromium() || !existsSync(triedBefore);
  if (missing.length > 0 && isWorthATry && mayInstallByApt()) {
    console.log(`Installing ${missing.join(' and ')} for the tests …`);
    await installByApt(missing);
    if (!findChromium()) await installByApt(['chromium']);
    mkdirSync(dirname(triedBefore), { recursive: true });
    writeFileSync(triedBefore, '');
  }
  if (findChromium()) return 0;
  console.log('Looking for a Chromium for the tests …');
  const cli = join(project, 'node_modules', '@playwright', 'test', 'cli.js');
  const code = await run(projectNode(project), [cli, 'install', 'chromium'], { cwd: project });
  if (code !== 0)
    console.error('There is no Chromium for the tests. Install one, or set CHROMIUM_PATH to where it is.');
  return code;
}
