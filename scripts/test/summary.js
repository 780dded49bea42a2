import { readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} PlaywrightReport
 */

/**
 * A report that a runner has left.
 * @param {string} file
 * @returns {unknown} null when there is none that can be read: the runner has crashed.
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
 * @param {boolean} passed
 * @returns {Counts}
 */
export const ofCheck = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

/**
 * @param {unknown} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function ofVitest(report, exitCode) {
  if (!isVitestReport(report)) return crashed;
  // A file that can't be loaded fails without any test of its own.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return believing(exitCode, counts);
}

/**
 * @param {unknown} report
 * @param {number} exitCode
 * @param {boolean} isCi whether a journey that passed at its second run counts as failed
 * @returns {Counts}
 */
export function ofPlaywright(report, exitCode, isCi) {
  if (!isPlaywrightReport(report)) return crashed;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected + (isCi ? flaky : 0);
  return believing(exitCode, { passed: expected + (isCi ? 0 : flaky), failed, skipped });
}

/**
 * @param {Counts[]} all
 * @returns {Counts}
 */
export const sum = (all) =>
  all.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }));

/** @param {Counts} counts */
export const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** @type {Counts} */
const crashed = { passed: 0, failed: 1, skipped: 0 };

/**
 * A runner that reports no failure has failed all the same when it says so by its exit code (an error outside
 * of any test), or when nothing ran at all.
 * @param {number} exitCode
 * @param {Counts} counts
 * @returns {Counts}
 */
function believing(exitCode, counts) {
  const isFine = exitCode === 0 && counts.passed > 0;
  return isFine || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/**
 * @param {unknown} report
 * @returns {report is VitestReport}
 */
const isVitestReport = (report) =>
  isObject(report) &&
  Array.isArray(report['testResults']) &&
  ['numPassedTests', 'numFailedTests', 'numPendingTests', 'numTodoTests'].every(
    (name) => typeof report[name] === 'number',
  );

/**
 * @param {unknown} report
 * @returns {report is PlaywrightReport}
 */
function isPlaywrightReport(report) {
  const stats = isObject(report) ? report['stats'] : null;
  return (
    isObject(stats) &&
    ['expected', 'unexpected', 'flaky', 'skipped'].every((name) => typeof stats[name] === 'number')
  );
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === 'object' && value !== null;
