import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findOldChromium, folderOf, OLD_CHROMIUMS } from '../old-chromium.js';
import { findProgram } from '../find-program.js';
import { run } from '../run.js';
import { installByApt, mayInstallByApt } from './apt.js';

/** Debian's packages, each by a program in it. */
const PACKAGES = {
  ...{ WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
  ...{ 'firefox-esr': 'firefox-esr', pulseaudio: 'pulseaudio' },
};
/** What the first of them is of no use without, and has no program of its own. */
const WITH_WEBKIT = ['gir1.2-webkit2-4.1', 'python3-gi'];

/**
 * Tries to get the browsers that `npm run test:browsers` runs in; without one, its tests are skipped, and say so.
 * @returns {Promise<number>} an exit code
 */
export async function provideBrowsers() {
  const missing = Object.entries(PACKAGES).filter(([program]) => !findProgram(program));
  if (missing.length > 0 && mayInstallByApt()) {
    const packages = [...missing.map(([, name]) => name), ...WITH_WEBKIT];
    console.log(`Installing ${packages.join(', ')} for the tests in other browsers …`);
    await installByApt(packages);
  }
  if (process.platform === 'linux' && process.arch === 'x64')
    for (const major of /** @type {const} */ ([111, 92]))
      if (!findOldChromium(major)) await fetchOldChromium(major);
  return 0;
}

/** @param {import('../old-chromium.js').OldChromium} major */
async function fetchOldChromium(major) {
  const { version, integrity } = OLD_CHROMIUMS[major];
  console.log(`Fetching Chromium ${major} (60 MB) for the tests in older browsers …`);
  mkdirSync(dirname(folderOf(major)), { recursive: true });
  const folder = mkdtempSync(`${folderOf(major)}-`);
  try {
    const code = await run('npm', ['pack', `@sparticuz/chromium@${version}`, '--silent'], { cwd: folder });
    const packed = join(folder, `sparticuz-chromium-${version}.tgz`);
    if (code !== 0) throw new Error('npm could not fetch it.');
    const hash = createHash('sha512').update(readFileSync(packed)).digest('base64');
    if (`sha512-${hash}` !== integrity) throw new Error('It is not the one that was expected.');
    if ((await run('tar', ['-xzf', packed, 'package/bin/chromium.br'], { cwd: folder })) !== 0)
      throw new Error('It could not be unpacked.');
    const program = brotliDecompressSync(readFileSync(join(folder, 'package/bin/chromium.br')));
    const ready = join(folder, 'ready');
    mkdirSync(ready);
    writeFileSync(join(ready, 'chromium'), program, { mode: 0o755 });
    rmSync(folderOf(major), { recursive: true, force: true });
    renameSync(ready, folderOf(major));
  } catch (error) {
    console.log(`Without Chromium ${major}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
