// Whether the pages use only what the oldest browsers have (src/web/oldest-browsers.ts): names and attributes in
// the sources, and the built styles, if there are any.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ACCEPTED, ACCEPTED_STYLES } from './browsers/accepted.ts';
import { complaints, complaintsOfStyles } from './browsers/complaints.ts';
import { tooNewIn } from './browsers/too-new.ts';
import { tooNewInStyles } from './browsers/too-new-styles.ts';

const project = join(import.meta.dirname, '..');

/** A page, and what runs beside it. */
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
const said = complaints(tooNewIn(project, ENTRIES, options), ACCEPTED);

const styles = globSync('dist/web/assets/*.css', { cwd: project }).map((path) =>
  readFileSync(join(project, path), 'utf8'),
);
if (styles.length > 0) said.push(...complaintsOfStyles(tooNewInStyles(styles.join('\n')), ACCEPTED_STYLES));

for (const each of said) console.error(each);
process.exitCode = said.length > 0 ? 1 : 0;
