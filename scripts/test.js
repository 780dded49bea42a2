// Runs all checks: node scripts/test.js. With --quick, runs only those that need neither a database nor a
// browser. Every step runs, even after one has failed. The last lines list what failed, and the totals.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getProjectNodePath, runCommand } from './run.js';
import {
  toCheckTotals,
  readPlaywrightTotals,
  formatTotals,
  sumTotals,
  readVitestTotals,
} from './test/totals.js';

const project = fileURLToPath(new URL('..', import.meta.url));
const isQuick = process.argv.includes('--quick');
/** Free memory needed for temporary files, in bytes: several times what tests store at the same time. */
const MEMORY_FOR_FILES = 4 * 1024 ** 3;
process.env['TMPDIR'] = makeTemporaryFolder();
const reports = mkdtempSync(join(tmpdir(), 'yangchen-reports-'));

/** @typedef {{ title: string, totals: import('./test/totals.js').Totals }} Step */

// Runs these steps at the same time as the tests below. Tests spend much of their time waiting for a
// database, processes or sound, so all steps together keep two cores busy. Component tests run in a separate
// process: in a shared one, Vitest would run them after the others.
const beside = [checks()];
if (!isQuick) {
  beside.push(printWhenDone('Component tests', (onOutput) => vitest(['component'], onOutput)));
  beside.push(printWhenDone('Journeys in a browser', journeys));
}
announce('Tests');
const steps = [{ title: 'Tests', totals: await vitest(isQuick ? ['unit'] : ['unit', 'http', 'process']) }];
steps.push(...(await Promise.all(beside)).flat());

const failed = steps.filter(({ totals }) => totals.failed > 0);
if (failed.length > 0) announce('Failed');
for (const { title, totals } of failed)
  console.log([`${title}: ${formatTotals(totals)}`, ...totals.failures].join('\n  '));
console.log(`\n${formatTotals(sumTotals(steps.map(({ totals }) => totals)))}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/**
 * Creates a folder that is deleted at the end. It is in memory if there is enough, because tests delete
 * thousands of database files, and ext4 creates files more and more slowly while it deletes others.
 */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(hasMemory('/dev/shm') ? '/dev/shm' : tmpdir(), 'yangchen-tests-'));
  // Lets other system users write to the folder, because some tests run as other users.
  chmodSync(folder, 0o1777);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  return folder;
}

/** @param {string} folder */
function hasMemory(folder) {
  try {
    const [, , type, flags = ''] = mountOf(folder);
    const { bavail, bsize } = statfsSync(folder);
    return type === 'tmpfs' && !flags.split(',').includes('noexec') && bavail * bsize > MEMORY_FOR_FILES;
  } catch {
    return false;
  }
}

/**
 * @param {string} folder
 * @returns the fields of its line in /proc/self/mounts
 */
function mountOf(folder) {
  const lines = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return lines.map((line) => line.split(' ')).findLast(([, point]) => point === folder) ?? [];
}

/**
 * Runs the checks one after another alongside the tests, which sometimes leave a core idle. Prints the output
 * of a check only if the check fails.
 */
async function checks() {
  return [
    await check('Format', ['oxfmt', '--check']),
    await check('Lint and types', ['oxlint', '--type-check']),
    await check('Browsers', ['scripts/browsers.ts']),
    await check('Imports', ['depcruise', 'src', '--config', '.dependency-cruiser.js', '-T', 'err-long']),
  ];
}

/**
 * @param {string} title
 * @param {string[]} command
 * @returns {Promise<Step>}
 */
async function check(title, command) {
  let output = '';
  const passed = (await tool(command, {}, (text) => (output += text))) === 0;
  announce(title);
  console.log(passed ? 'passed' : `${output}\nFAILED`);
  return { title, totals: toCheckTotals(passed) };
}

/**
 * Prints the output of a test runner when it has ended, because others run at the same time.
 * @param {string} title
 * @param {(onOutput: (text: string) => void) => Promise<Step['totals']>} runner
 * @returns {Promise<Step[]>}
 */
async function printWhenDone(title, runner) {
  let output = '';
  const totals = await runner((text) => (output += text));
  announce(title);
  console.log(output);
  return [{ title, totals }];
}

/**
 * @param {string[]} projects
 * @param {(text: string) => void} [onOutput]
 */
async function vitest(projects, onOutput) {
  const file = join(reports, `${projects.join('-')}.json`);
  const only = projects.flatMap((name) => ['--project', name]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return readVitestTotals(file, await tool(['vitest', 'run', ...only, ...reporters], {}, onOutput));
}

/** @param {(text: string) => void} onOutput */
async function journeys(onOutput) {
  const file = join(reports, 'journeys.json');
  const command = ['playwright', 'test', '--reporter=list,json'];
  const exitCode = await tool(command, { PLAYWRIGHT_JSON_OUTPUT_FILE: file }, onOutput);
  return readPlaywrightTotals(file, exitCode, Boolean(process.env['CI']));
}

/**
 * Runs a development tool or one of our scripts on the project's own Node.
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(text: string) => void} [onOutput]
 */
function tool([name = '', ...args], env = {}, onOutput) {
  const node = getProjectNodePath(project);
  const tools = join(project, 'node_modules', '.bin');
  const path = [tools, dirname(node), process.env['PATH'] ?? ''];
  return runCommand(node, [name.includes('/') ? join(project, name) : join(tools, name), ...args], {
    cwd: project,
    env: { ...process.env, PATH: path.join(delimiter), ...env },
    ...(onOutput && { onOutput }),
  });
}

/** @param {string} title */
function announce(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`);
}
