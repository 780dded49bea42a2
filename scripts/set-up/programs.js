import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findChromium } from '../find-chromium.js';
import { findPostgresFolder, findProgram } from '../find-program.js';
import { findOldChromium, getOldChromiumFolder, OLD_CHROMIUMS } from '../old-chromium.js';
import { getProjectNodePath, runCommand } from '../run.js';

// Installs programs that tests need. Packages are installed only as root on a system with apt. A test whose
// program is missing is skipped with a message.

/**
 * Makes sure that there is a Chromium. Tries once to install ffmpeg and the headless shell, which tests prefer.
 * @param {string} project
 * @returns {Promise<number>} an exit code
 */
export async function ensureChromium(project) {
  const triedBefore = join(project, 'node_modules', '.cache', 'apt-tried');
  if (!existsSync(triedBefore) || !findChromium()) {
    await installMissing({ 'chromium-headless-shell': 'chromium-headless-shell', ffmpeg: 'ffmpeg' });
    if (!findChromium()) await installMissing({ chromium: 'chromium' });
    mkdirSync(dirname(triedBefore), { recursive: true });
    writeFileSync(triedBefore, '');
  }
  if (findChromium()) return 0;
  console.log('Fetching a Chromium for the tests …');
  const cli = join(project, 'node_modules', '@playwright', 'test', 'cli.js');
  const code = await runCommand(getProjectNodePath(project), [cli, 'install', 'chromium'], { cwd: project });
  if (code !== 0)
    console.error('There is no Chromium for the tests. Install one, or set CHROMIUM_PATH to where it is.');
  return code;
}

/** Installs the browsers for `npm run test:browsers`. */
export async function ensureTestBrowsers() {
  const isWithoutWebKit = !findProgram('WebKitWebDriver');
  await installMissing({
    ...{ WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
    ...{ 'firefox-esr': 'firefox-esr', pulseaudio: 'pulseaudio' },
    // WebKit's driver needs these packages. They contain no program to look for, so they are installed
    // whenever the driver is missing.
    ...(isWithoutWebKit && { webkit: 'gir1.2-webkit2-4.1', gi: 'python3-gi' }),
  });
  if (process.platform === 'linux' && process.arch === 'x64')
    for (const major of /** @type {const} */ ([111, 92]))
      if (!findOldChromium(major)) await fetchOldChromium(major);
  return 0;
}

/** Installs the servers for `npm run test:scale`. */
export async function ensureTestServers() {
  await installMissing({
    ...{ radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' },
    ...{ nginx: 'nginx-light', openssl: 'openssl', pgbouncer: 'pgbouncer' },
    ...(!findPostgresFolder() && { postgres: 'postgresql' }),
    // Skipped if there is another mail server, because apt would remove it.
    ...(!findProgram('sendmail') && { exim4: 'exim4-daemon-light' }),
  });
  return 0;
}

/**
 * Installs packages one at a time, so that an unavailable package does not prevent the installation of the
 * others.
 * @param {Record<string, string>} packages Debian packages, keyed by a program in each
 */
async function installMissing(packages) {
  const missing = Object.entries(packages).filter(([program]) => !findProgram(program));
  if (missing.length === 0 || process.getuid?.() !== 0 || !findProgram('apt-get')) return;
  const names = missing.map(([, name]) => name);
  console.log(`Installing ${names.join(', ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], { env });
  for (const name of names)
    await runCommand('apt-get', ['install', '-y', '--no-install-recommends', name], { env });
}

/** @param {import('../old-chromium.js').OldChromium} major */
async function fetchOldChromium(major) {
  const { version, integrity } = OLD_CHROMIUMS[major];
  console.log(`Fetching Chromium ${major} (60 MB) for the tests in older browsers …`);
  mkdirSync(dirname(getOldChromiumFolder(major)), { recursive: true });
  const folder = mkdtempSync(`${getOldChromiumFolder(major)}-`);
  try {
    const code = await runCommand('npm', ['pack', `@sparticuz/chromium@${version}`, '--silent'], {
      cwd: folder,
    });
    const packed = join(folder, `sparticuz-chromium-${version}.tgz`);
    if (code !== 0) throw new Error('npm could not fetch it.');
    const hash = createHash('sha512').update(readFileSync(packed)).digest('base64');
    if (`sha512-${hash}` !== integrity) throw new Error('It is not the expected file.');
    if ((await runCommand('tar', ['-xzf', packed, 'package/bin/chromium.br'], { cwd: folder })) !== 0)
      throw new Error('It could not be unpacked.');
    const ready = join(folder, 'ready');
    mkdirSync(ready);
    const program = brotliDecompressSync(readFileSync(join(folder, 'package/bin/chromium.br')));
    writeFileSync(join(ready, 'chromium'), program, { mode: 0o755 });
    rmSync(getOldChromiumFolder(major), { recursive: true, force: true });
    renameSync(ready, getOldChromiumFolder(major));
  } catch (error) {
    console.log(`Without Chromium ${major}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
