// Installs and builds what a command needs, unless it is there already:
//
//   node scripts/set-up.js install-dev build browser
//
// Runs before anything is installed, on any Node that the machine has, so it is plain JavaScript without dependencies.
import { fileURLToPath } from 'node:url';
import { ensureAnyBuild, ensureBuild } from './set-up/build.js';
import { ensureNodeModules } from './set-up/install.js';
import { ensureTestBrowsers, ensureChromium, ensureTestServers } from './set-up/programs.js';

/** @type {Record<string, (project: string) => Promise<number>>} each resolves with an exit code */
const steps = {
  install: (project) => ensureNodeModules(project),
  'install-dev': (project) => ensureNodeModules(project, { dev: true }),
  build: ensureBuild,
  'once-built': ensureAnyBuild,
  browser: ensureChromium,
  browsers: ensureTestBrowsers,
  scale: ensureTestServers,
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
