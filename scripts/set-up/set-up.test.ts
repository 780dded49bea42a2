import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getTestChromiumLaunchOptions, findChromium } from '../find-chromium.js';
import { fingerprintSources, ensureAnyBuild, ensureBuild, replaceBuild } from './build.js';
import { areNodeModulesUpToDate, ensureNodeModules } from './install.js';

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'yangchen-test-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(project, { recursive: true, force: true });
});

describe('installing', () => {
  const song = { version: '1.0.0' };
  const nodeHere = { version: '3.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
  const runner = { version: '4.0.0', dev: true };
  const lock = {
    packages: {
      '': { optionalDependencies: { 'node-here': '3.0.0', 'node-there': '3.0.0' } },
      'node_modules/song': song,
      'node_modules/song/node_modules/verse': song,
      'node_modules/node-here': nodeHere,
      'node_modules/node-there': { ...nodeHere, os: ['plan9'] },
      'node_modules/binary-there': { ...nodeHere, os: ['plan9'] },
      'node_modules/runner': runner,
      'node_modules/runner-there': { ...runner, optional: true, os: ['plan9'] },
    },
  };
  const needed = {
    'node_modules/song': song,
    'node_modules/song/node_modules/verse': song,
    'node_modules/node-here': nodeHere,
  };

  function install(packages: Record<string, object>) {
    put('package-lock.json', JSON.stringify(lock));
    for (const path of Object.keys(packages)) put(`${path}/package.json`, '{}');
    put('node_modules/.package-lock.json', JSON.stringify({ packages }));
  }

  it('areNodeModulesUpToDate returns false if nothing is installed', () => {
    put('package-lock.json', JSON.stringify(lock));
    expect(areNodeModulesUpToDate(project, false)).toBe(false);
  });

  it('areNodeModulesUpToDate ignores unneeded platform and dev packages', async () => {
    install(needed);
    expect(areNodeModulesUpToDate(project, false)).toBe(true);
    expect(await ensureNodeModules(project)).toBe(0);
    expect(areNodeModulesUpToDate(project, true)).toBe(false);
    install({ ...needed, 'node_modules/runner': runner });
    expect(areNodeModulesUpToDate(project, true)).toBe(true);
    expect(areNodeModulesUpToDate(project, false)).toBe(true);
  });

  it.each(Object.keys(needed))('areNodeModulesUpToDate returns false if %s is missing', (missing) => {
    install(Object.fromEntries(Object.entries(needed).filter(([path]) => path !== missing)));
    expect(areNodeModulesUpToDate(project, false)).toBe(false);
  });

  it('areNodeModulesUpToDate returns false if a version differs from the lockfile', () => {
    install({ ...needed, 'node_modules/song': { version: '1.0.1' } });
    expect(areNodeModulesUpToDate(project, false)).toBe(false);
  });

  it('ensureNodeModules includes dev dependencies only if some are already installed', async () => {
    vi.spyOn(console, 'log').mockReturnValue(undefined);
    put('bin/npm', '#!/bin/sh\necho "$@" > arguments');
    chmodSync(join(project, 'bin/npm'), 0o755);
    vi.stubEnv('PATH', `${join(project, 'bin')}:${process.env.PATH ?? ''}`);
    install({ 'node_modules/runner': runner });
    expect(await ensureNodeModules(project)).toBe(0);
    expect(readFileSync(join(project, 'arguments'), 'utf8')).toContain('--include=dev');
    install({});
    expect(await ensureNodeModules(project)).toBe(0);
    expect(readFileSync(join(project, 'arguments'), 'utf8')).toContain('--omit=dev');
  });

  it('areNodeModulesUpToDate returns false if the folder of a package was deleted', () => {
    install(needed);
    rmSync(join(project, 'node_modules/song'), { recursive: true });
    expect(areNodeModulesUpToDate(project, false)).toBe(false);
  });
});

it('package.json allows no dependency to run an install script', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(manifest).toMatchObject({ allowScripts: {} });
});

describe('building', () => {
  /** Source code of a fake Vite that writes NODE_ENV to a file in the given folder. Fails unless it is quiet. */
  const vite = `
    const { mkdirSync, writeFileSync } = require('node:fs');
    const folder = process.argv[process.argv.indexOf('--outDir') + 1];
    if (process.env.FAIL) process.exit(3);
    if (!process.argv.join(' ').includes('--logLevel warn')) process.exit(4);
    mkdirSync(folder);
    writeFileSync(folder + '/index.html', process.env.NODE_ENV);
    if (process.argv.includes('--ssr')) writeFileSync(folder + '/main.admin.js', '');`;

  beforeEach(() => {
    vi.spyOn(console, 'log').mockReturnValue(undefined);
    put('package-lock.json', '{}');
    put('src/main.web.tsx', 'one');
    put('node_modules/vite/bin/vite.js', vite);
  });

  it('ensureBuild builds for production, and only once if nothing changes', async () => {
    expect(await ensureBuild(project)).toBe(0);
    expect(console.log).toHaveBeenCalledExactlyOnceWith('Building …');
    expect(readFileSync(join(project, 'dist/web/index.html'), 'utf8')).toBe('production');
    // The server's build is in the folder of the pages, so that both always come from the same sources.
    expect(existsSync(join(project, 'dist/web/.server'))).toBe(true);
    put('dist/web/index.html', 'untouched');
    expect(await ensureBuild(project)).toBe(0);
    expect(readFileSync(join(project, 'dist/web/index.html'), 'utf8')).toBe('untouched');
    expect(readdirSync(join(project, 'dist')).sort()).toEqual(['.built', 'web']);
  });

  it('ensureBuild builds again after any source file changes', async () => {
    for (const path of [
      'src/main.web.tsx',
      'src/deep/er.css',
      'public/icon.svg',
      'vite.config.ts',
      'index.html',
    ]) {
      await ensureBuild(project);
      put('dist/web/index.html', 'old');
      put(path, 'new');
      await ensureBuild(project);
      expect(readFileSync(join(project, 'dist/web/index.html'), 'utf8'), path).toBe('production');
    }
  });

  it('ensureBuild builds again if a source file was renamed or the pages are missing', async () => {
    const before = fingerprintSources(project);
    rmSync(join(project, 'src/main.web.tsx'));
    put('src/other.tsx', 'one');
    expect(fingerprintSources(project)).not.toBe(before);
    await ensureBuild(project);
    rmSync(join(project, 'dist/web'), { recursive: true });
    await ensureBuild(project);
    expect(existsSync(join(project, 'dist/web/index.html'))).toBe(true);
  });

  it('ensureAnyBuild uses an existing build, even if the sources have changed', async () => {
    expect(await ensureAnyBuild(project)).toBe(0);
    expect(readFileSync(join(project, 'dist/web/index.html'), 'utf8')).toBe('production');
    put('dist/web/index.html', 'served');
    put('src/main.web.tsx', 'two');
    expect(await ensureAnyBuild(project)).toBe(0);
    expect(readFileSync(join(project, 'dist/web/index.html'), 'utf8')).toBe('served');
  });

  it('ensureAnyBuild builds again if the last build has pages but no server', async () => {
    put('dist/web/index.html', 'of the pages alone');
    expect(await ensureAnyBuild(project)).toBe(0);
    expect(existsSync(join(project, 'dist/web/.server/main.admin.js'))).toBe(true);
  });

  it('changing only tests does not change the fingerprint of the sources', () => {
    const before = fingerprintSources(project);
    put('src/any.test.ts', 'new');
    put('src/any.test.tsx', 'new');
    expect(fingerprintSources(project)).toBe(before);
  });

  it('ensureBuild keeps the last build if Vite fails, and returns Vite’s exit code', async () => {
    await ensureBuild(project);
    put('src/main.web.tsx', 'two');
    vi.stubEnv('FAIL', 'yes');
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    expect(await ensureBuild(project)).toBe(3);
    expect(existsSync(join(project, 'dist/web/index.html'))).toBe(true);
    expect(readdirSync(join(project, 'dist')).sort()).toEqual(['.built', 'web']);
  });

  it('ensureBuild removes the folder of a build that was killed over an hour ago', async () => {
    put('dist/web.new-1/index.html', 'half');
    put('dist/web.new-2/index.html', 'half');
    utimesSync(join(project, 'dist/web.new-1'), new Date(0), new Date(0));
    await ensureBuild(project);
    expect(readdirSync(join(project, 'dist')).sort()).toEqual(['.built', 'web', 'web.new-2']);
  });

  it('replaceBuild replaces the files of the old build with those of the new build', () => {
    put('dist/web/old.js', '');
    put('dist/fresh/new.js', '');
    replaceBuild(join(project, 'dist/fresh'), join(project, 'dist/web'));
    expect(readdirSync(join(project, 'dist'))).toEqual(['web']);
    expect(readdirSync(join(project, 'dist/web'))).toEqual(['new.js']);
  });
});

describe('findChromium', () => {
  it('findChromium returns the configured Chromium, the first on the PATH, or null', () => {
    put('bin/google-chrome', '#!/bin/sh', 0o755);
    put('bin/chromium', 'not a program', 0o644);
    vi.stubEnv('CHROMIUM_PATH', undefined);
    vi.stubEnv('PATH', join(project, 'bin'));
    expect(findChromium()).toBe(join(project, 'bin/google-chrome'));
    put('bin/chromium-headless-shell', '#!/bin/sh', 0o755);
    expect(findChromium()).toBe(join(project, 'bin/google-chrome'));
    expect(getTestChromiumLaunchOptions().executablePath).toBe(join(project, 'bin/chromium-headless-shell'));
    vi.stubEnv('PATH', project);
    expect(findChromium()).toBeNull();
    vi.stubEnv('CHROMIUM_PATH', '/opt/chromium');
    expect(findChromium()).toBe('/opt/chromium');
    vi.stubEnv('PATH', join(project, 'bin'));
    expect(getTestChromiumLaunchOptions().executablePath).toBe('/opt/chromium');
  });
});

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text, { mode });
}
