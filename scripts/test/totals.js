import { readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Totals
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} PlaywrightReport
 */

/** @type {Totals} */
const CRASHED = { passed: 0, failed: 1, skipped: 0 };

/**
 * Reads the report that Vitest's JSON reporter left. No report counts as a failure.
 * @param {string} file
 * @param {number} exitCode
 */
export function vitestTotals(file, exitCode) {
  const report = /** @type {VitestReport | null} */ (readJson(file));
  if (!report?.testResults) return CRASHED;
  // A file that can't be loaded fails without a failed test.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return believe(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/**
 * Reads the report that Playwright's JSON reporter left. No report counts as a failure.
 * @param {string} file
 * @param {number} exitCode
 * @param {boolean} flakyFails whether a journey that passed when repeated counts as failed
 */
export function playwrightTotals(file, exitCode, flakyFails) {
  const report = /** @type {PlaywrightReport | null} */ (readJson(file));
  if (!report?.stats) return CRASHED;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return believe(exitCode, {
    passed: expected + (flakyFails ? 0 : flaky),
    failed: unexpected + (flakyFails ? flaky : 0) + report.errors.length,
    skipped,
  });
}

/**
 * A check such as the formatter's counts as one test.
 * @param {boolean} passed
 * @returns {Totals}
 */
export const checkTotals = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

/** @param {Totals[]} totals */
export const sum = (totals) =>
  totals.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }));

/** @param {Totals} totals */
export const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * A runner also fails if its exit code says so, because of an error outside of any test, and if it ran nothing.
 * @param {number} exitCode
 * @param {Totals} totals
 */
const believe = (exitCode, totals) =>
  totals.failed === 0 && (exitCode !== 0 || totals.passed === 0) ? { ...totals, failed: 1 } : totals;

/** @param {string} file */
function readJson(file) {
  try {
    return /** @type {unknown} */ (JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
