import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * One test, journey or check.
 * @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped', ms: number, why?: string }} Result
 * @typedef {{ testResults: { name: string, status: string, message?: string, assertionResults: {
 *   fullName: string, status: string, duration?: number | null, failureMessages?: string[] }[] }[] }} VitestReport
 * @typedef {{ title: string, file: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ title: string, file: string, tests: { status: string, results: {
 *   duration: number, error?: { message?: string } }[] }[] }} PlaywrightSpec
 * @typedef {{ suites: PlaywrightSuite[], errors: { message?: string }[] }} PlaywrightReport
 */

/**
 * Reads the report of a runner.
 * @param {string} file
 * @returns {unknown} null if there is no readable one: the runner has crashed
 */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * A check such as the formatter's counts as one test.
 * @param {string} name
 * @param {boolean} passed
 * @param {string} output its output
 * @returns {Result}
 */
export const ofCheck = (name, passed, output) => ({
  name,
  outcome: passed ? 'passed' : 'failed',
  ms: 0,
  ...(!passed && { why: output }),
});

/**
 * @param {unknown} report
 * @param {number} exitCode
 * @param {string} project the folder that files are named from
 * @returns {Result[]}
 */
export function ofVitest(report, exitCode, project) {
  if (!isVitestReport(report)) return [crashed('vitest')];
  const results = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(project, name);
    /** @type {Result[]} */
    const tests = assertionResults.map((test) => ({
      name: `${file} › ${test.fullName}`,
      outcome: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      ms: test.duration ?? 0,
      ...(test.status === 'failed' && { why: test.failureMessages?.join('\n') ?? '' }),
    }));
    // A file that can't be loaded fails without any test of its own.
    const isBroken = status === 'failed' && !tests.some(({ outcome }) => outcome === 'failed');
    return isBroken ? [...tests, failed(file, message ?? '')] : tests;
  });
  return believing('vitest', exitCode, results);
}

/**
 * @param {unknown} report
 * @param {number} exitCode
 * @param {boolean} isCi whether a flaky journey counts as failed
 * @returns {Result[]}
 */
export function ofPlaywright(report, exitCode, isCi) {
  if (!isPlaywrightReport(report)) return [crashed('playwright')];
  const results = report.suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
    tests.map(({ status, results: runs }) => {
      const isFailed = status === 'unexpected' || (status === 'flaky' && isCi);
      /** @type {Result} */
      const result = {
        name: `e2e/${file} › ${title}${status === 'flaky' ? ' (flaky)' : ''}`,
        outcome: isFailed ? 'failed' : status === 'skipped' ? 'skipped' : 'passed',
        ms: runs.reduce((ms, run) => ms + run.duration, 0),
        ...(isFailed && { why: runs.find(({ error }) => error)?.error?.message ?? '' }),
      };
      return result;
    }),
  );
  const errors = report.errors.map(({ message }) => failed('playwright', message ?? ''));
  return believing('playwright', exitCode, [...results, ...errors]);
}

/**
 * The failures, each with the first lines of the reason; empty if there are none.
 * @param {Result[]} results
 */
export const failures = (results) =>
  results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, why }) => [`✗ ${name}`, ...firstLines(why ?? '')].join('\n'))
    .join('\n');

/**
 * The ten slowest.
 * @param {Result[]} results
 */
export const slowest = (results) =>
  results
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
    .join('\n');

/** @param {Result[]} results */
export function sentence(results) {
  /** @param {Result['outcome']} outcome */
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {string} name
 * @param {string} why
 * @returns {Result}
 */
const failed = (name, why) => ({ name, outcome: 'failed', ms: 0, why });

/** @param {string} runner */
const crashed = (runner) => failed(runner, 'It left no report.');

/**
 * A runner that reports no failure has still failed if its exit code says so (an error outside of any test), or if
 * nothing ran at all.
 * @param {string} runner
 * @param {number} exitCode
 * @param {Result[]} results
 * @returns {Result[]}
 */
function believing(runner, exitCode, results) {
  if (results.some(({ outcome }) => outcome === 'failed')) return results;
  if (exitCode !== 0) return [...results, failed(runner, `It ended with exit code ${exitCode}.`)];
  const hasRun = results.some(({ outcome }) => outcome === 'passed');
  return hasRun ? results : [...results, failed(runner, 'It ran no test.')];
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {PlaywrightSpec[]}
 */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

/** @param {string} text */
const firstLines = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 12)
    .map((line) => `    ${line}`);

/**
 * @param {unknown} report
 * @returns {report is VitestReport}
 */
const isVitestReport = (report) =>
  isObject(report) &&
  Array.isArray(report['testResults']) &&
  report['testResults'].every((file) => isObject(file) && Array.isArray(file['assertionResults']));

/**
 * @param {unknown} report
 * @returns {report is PlaywrightReport}
 */
const isPlaywrightReport = (report) =>
  isObject(report) && Array.isArray(report['suites']) && Array.isArray(report['errors']);

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === 'object' && value !== null;
