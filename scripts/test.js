// The one command to be sure: node scripts/test.js, or with --quick what needs neither a database nor a browser.
// Every step runs, also after one that failed, so that one sees everything. At the end stand the slowest and what
// failed, and in the last line the sum.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectNode, run } from './run.js';
import { failures, ofCheck, ofPlaywright, ofVitest, readReport, sentence, slowest } from './test/summary.js';

const project = fileURLToPath(new URL('..', import.meta.url));
const isQuick = process.argv.includes('--quick');
/** The tag of such journeys. */
const WAITING = '@waiting';
/** Bytes; several times what tests have on their disk at once. */
const MEMORY_FOR_FILES = 4 * 1024 ** 3;
process.env['TMPDIR'] = makeTemporaryFolder();
const reports = mkdtempSync(join(tmpdir(), 'yangchen-reports-'));

const beside = [checks()];
if (!isQuick) {
  // In a process of their own: in one with the others, Vitest would run them after all others.
  beside.push(printedAtItsEnd('Component tests', (heard) => vitest(['component'], heard)));
  beside.push(printedAtItsEnd('Journeys that mostly wait', (heard) => journeys(['--grep', WAITING], heard)));
}
announce('Tests');
const results = await vitest(isQuick ? ['unit'] : ['unit', 'http', 'process']);
if (!isQuick) {
  announce('Journeys in a browser');
  results.push(...(await journeys(['--grep-invert', WAITING])));
}
results.push(...(await Promise.all(beside)).flat());

announce('Slowest');
console.log(slowest(results));
if (failures(results) !== '') {
  announce('Failed');
  console.log(failures(results));
}
console.log(`\n${sentence(results)}`);
process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;

/**
 * One that is deleted at the end. In memory where there is enough of it: ext4 takes ever longer to create files while
 * thousands are being deleted, which is what tests do with databases.
 */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(hasMemory('/dev/shm') ? '/dev/shm' : tmpdir(), 'yangchen-tests-'));
  // As every folder for temporary files: some tests are other users.
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
 * @returns its line of fstab(5), as the kernel has it
 */
function mountOf(folder) {
  const lines = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return lines.map((line) => line.split(' ')).findLast(([, point]) => point === folder) ?? [];
}

/** Runs beside the tests, which leave a core idle now and then. Each check prints its output when it is done. */
async function checks() {
  return [
    await check('Format', ['oxfmt', '--check']),
    await check('Lint', ['oxlint']),
    await check('Browsers', ['scripts/browsers.ts']),
    await check('Imports', ['depcruise', 'src', '--config', '.dependency-cruiser.js', '-T', 'err-long']),
    await check('Types', ...['server', 'web', 'e2e'].map(typesOf)),
  ];
}

/**
 * @param {string} title
 * @param {...string[]} commands
 */
async function check(title, ...commands) {
  let output = '';
  let passed = true;
  for (const command of commands)
    passed = (await tool(command, {}, (text) => (output += text))) === 0 && passed;
  announce(title);
  console.log(passed ? 'passed' : `${output}\nFAILED`);
  return ofCheck(title, passed, output);
}

/**
 * For what runs beside something else.
 * @template Result
 * @param {string} title
 * @param {(heard: (text: string) => void) => Promise<Result>} run
 */
async function printedAtItsEnd(title, run) {
  let said = '';
  const result = await run((text) => (said += text));
  announce(title);
  console.log(said);
  return result;
}

/**
 * @param {string[]} projects
 * @param {(text: string) => void} [heard]
 */
async function vitest(projects, heard) {
  const file = join(reports, `${projects.join('-')}.json`);
  const only = projects.flatMap((name) => ['--project', name]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await tool(['vitest', 'run', ...only, ...reporters], {}, heard);
  return ofVitest(readReport(file), code, project);
}

/**
 * @param {string[]} which
 * @param {(text: string) => void} [heard]
 */
async function journeys(which, heard) {
  const file = join(reports, `journeys${which.join('')}.json`);
  const command = ['playwright', 'test', ...which, '--reporter=list,json'];
  const code = await tool(command, { PLAYWRIGHT_JSON_OUTPUT_FILE: file }, heard);
  return ofPlaywright(readReport(file), code, Boolean(process.env['CI']));
}

/**
 * Runs a development tool, or a script of ours, on the project's own Node.
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(text: string) => void} [onOutput]
 */
function tool([name = '', ...args], env = {}, onOutput) {
  const node = projectNode(project);
  const tools = join(project, 'node_modules', '.bin');
  const path = [tools, dirname(node), process.env['PATH'] ?? ''];
  return run(node, [name.includes('/') ? join(project, name) : join(tools, name), ...args], {
    cwd: project,
    env: { ...process.env, PATH: path.join(delimiter), ...env },
    ...(onOutput && { onOutput }),
  });
}

/** @param {string} part */
function typesOf(part) {
  const cache = `node_modules/.cache/tsc/${part}.tsbuildinfo`;
  return ['tsc', '-p', `tsconfig.${part}.json`, '--incremental', '--tsBuildInfoFile', cache];
}

/** @param {string} title */
function announce(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`);
}
