// The one command to be sure: node scripts/test.js, or with --quick what needs neither a database nor a browser.
// Every step runs, also after one that failed, so that one sees everything. The last line is the sum.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectNode, run } from './run.js';
import { ofCheck, ofPlaywright, ofVitest, readReport, sentence, sum } from './test/summary.js';

const project = fileURLToPath(new URL('..', import.meta.url));
const isQuick = process.argv.includes('--quick');
const reports = mkdtempSync(join(tmpdir(), 'yangchen-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

const counts = [
  await check('Format', ['prettier', '--check', '.']),
  await check('Lint', ['eslint', '.', '--max-warnings', '0', ...cacheOf('eslint')]),
  await check('Imports', [
    'depcruise',
    'src',
    '--config',
    '.dependency-cruiser.js',
    '--output-type',
    'err-long',
  ]),
  await check(
    'Types',
    ['tsc', '-p', 'tsconfig.server.json'],
    ['tsc', '-p', 'tsconfig.web.json'],
    ['tsc', '-p', 'tsconfig.e2e.json'],
  ),
  await tests(),
];
if (!isQuick) counts.push(await journeys());

const total = sum(counts);
console.log(`\n${sentence(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * @param {string} title
 * @param {...string[]} commands
 */
async function check(title, ...commands) {
  announce(title);
  let passed = true;
  for (const command of commands) passed = (await tool(command)) === 0 && passed;
  console.log(passed ? `${title}: passed` : `${title}: FAILED`);
  return ofCheck(passed);
}

async function tests() {
  announce('Tests');
  const file = join(reports, 'vitest.json');
  const only = isQuick ? ['--project', 'unit'] : [];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await tool(['vitest', 'run', ...only, ...reporters]);
  return ofVitest(readReport(file), code);
}

async function journeys() {
  announce('Journeys in a browser');
  const file = join(reports, 'playwright.json');
  const code = await tool(['playwright', 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  return ofPlaywright(readReport(file), code, Boolean(process.env['CI']));
}

/**
 * Runs a development tool on the project's own Node.
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 */
function tool([name = '', ...args], env = {}) {
  const node = projectNode(project);
  const path = [join(project, 'node_modules', '.bin'), dirname(node), process.env['PATH'] ?? ''];
  return run(node, [join(project, 'node_modules', '.bin', name), ...args], {
    cwd: project,
    env: { ...process.env, PATH: path.join(delimiter), ...env },
  });
}

/**
 * By content: a checkout changes times.
 * @param {string} name
 */
function cacheOf(name) {
  return ['--cache', '--cache-strategy', 'content', '--cache-location', `node_modules/.cache/${name}/`];
}

/** @param {string} title */
function announce(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`);
}
