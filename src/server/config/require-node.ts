// Uses a default import, because on an older Node, a named import would fail before the message below is
// printed.
import nodeModule from 'node:module';
import { join } from 'node:path';
import { isRelease, projectFolder } from './project.ts';

const REQUIRED_MAJOR = 24;

/**
 * Exits with a clear message if Node is too old. On Linux, npm's scripts use the Node 24 in node_modules, so
 * this happens only if a file is run by hand or by cron.
 */
export function exitUnlessNode24(): void {
  const found = process.versions.node;
  if (Number.parseInt(found, 10) >= REQUIRED_MAJOR) return;
  const advice =
    process.platform === 'darwin'
      ? `Install Node ${REQUIRED_MAJOR} or newer.`
      : `Start it with ${isRelease ? './yangchen' : 'npm'} start, which uses the Node ${REQUIRED_MAJOR} installed with Yangchen.`;
  process.stderr.write(`Yangchen needs Node ${REQUIRED_MAJOR}, and this is Node ${found}. ${advice}\n`);
  process.exit(1);
}

/**
 * Caches compiled code, which saves a tenth of the CPU time of later starts. Does nothing if the folder isn't
 * writable.
 */
export function cacheCompiledCode(): void {
  nodeModule.enableCompileCache(join(projectFolder, 'node_modules/.cache/node'));
}
