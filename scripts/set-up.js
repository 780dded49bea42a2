// Makes sure that everything a command needs is installed and built; a no-op if it is:
//
//   node scripts/set-up.js install build browser scale
//
// Runs before anything is installed, with whatever Node the machine has: plain JavaScript, no dependencies.
import { fileURLToPath } from 'node:url';
import { provideBrowser } from './set-up/browser.js';
import { provideBrowsers } from './set-up/browsers.js';
import { provideAnyBuild, provideBuild } from './set-up/build.js';
import { provideModules } from './set-up/install.js';
import { provideScale } from './set-up/scale.js';

/** @type {Record<string, (project: string) => Promise<number>>} each resolves with an exit code */
const steps = {
  install: provideModules,
  build: provideBuild,
  'once-built': provideAnyBuild,
  browser: provideBrowser,
  browsers: provideBrowsers,
  scale: provideScale,
};

const project = fileURLToPath(new URL('..', import.meta.url));

for (const name of process.argv.slice(2)) {
  const step = steps[name];
  if (!step) {
    console.error(`There is no step '${name}'. The steps are ${Object.keys(steps).join(', ')}.`);
    process.exit(1);
  }
  const code = await step(project);
  if (code !== 0) process.exit(code);
}
