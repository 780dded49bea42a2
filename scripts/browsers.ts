// Checks that the pages use only features that the oldest supported browsers have
// (src/web/oldest-browsers.ts). Syntax is not checked, because the build converts it. eslint-plugin-compat,
// which oxlint would run without type information, would miss AbortSignal.any, Map.groupBy,
// Element.checkVisibility and all styles.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { KNOWN_UNSUPPORTED_FEATURES, KNOWN_UNSUPPORTED_STYLES } from './browsers/known-unsupported.ts';
import { compareWithKnownUnsupportedFeatures } from './browsers/compare-with-known-unsupported.ts';
import { findTooNewFeatures } from './browsers/too-new.ts';
import { findTooNewStyles } from './browsers/too-new-styles.ts';

const project = join(import.meta.dirname, '..');

/** Entry points of the pages and of their workers. */
const ENTRIES = [
  'src/main.web.tsx',
  'src/web/audio/capture.worklet.ts',
  'src/features/line-matching/web/on-device/alignment.worker.ts',
  'src/main.service-worker.ts',
].map((path) => join(project, path));

const { config } = ts.readConfigFile(join(project, 'tsconfig.web.json'), ts.sys.readFile) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
const { tooNew, unknown } = findTooNewFeatures(project, ENTRIES, options);
const found = compareWithKnownUnsupportedFeatures(tooNew, KNOWN_UNSUPPORTED_FEATURES);
for (const name of unknown)
  found.push(`MDN does not list ${name}: add its MDN name to scripts/browsers/too-new.ts.`);

const styles = globSync('dist/web/assets/*.css', { cwd: project }).map((path) =>
  readFileSync(join(project, path), 'utf8'),
);
if (styles.length > 0)
  found.push(
    ...compareWithKnownUnsupportedFeatures(findTooNewStyles(styles.join('\n')), KNOWN_UNSUPPORTED_STYLES),
  );

for (const complaint of found) console.error(complaint);
process.exitCode = found.length > 0 ? 1 : 0;
