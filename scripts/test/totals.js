import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Totals `failures` names each failed
 *   test by its file and title
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} VitestReport
 * @typedef {{ title: string, file: string, specs: { title: string, tests: { status: string }[] }[], suites?: Suite[] }} Suite
 * @typedef {{ suites: Suite[], stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} PlaywrightReport
 */

/** @type {Totals} */
const CRASHED = { passed: 0, failed: 1, skipped: 0, failures: [] };

/**
 * Reads the report of Vitest's JSON reporter. A missing or invalid report counts as a failure.
 * @param {string} file
 * @param {number} exitCode
 */
export function readVitestTotals(file, exitCode) {
  const report = /** @type {VitestReport | null} */ (readJson(file));
  if (!report?.testResults) return CRASHED;
  // Finds the files that can't be loaded, which fail without a failed test.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return distrustExitCode(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...broken.map(({ name }) => `${relative(PROJECT, name)} can't be loaded`),
      ...report.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName }) => `${relative(PROJECT, name)} › ${fullName}`),
      ),
    ],
  });
}

/**
 * Reads the report of Playwright's JSON reporter. A missing or invalid report counts as a failure.
 * @param {string} file
 * @param {number} exitCode
 * @param {boolean} flakyFails whether a journey that passed when retried counts as failed
 */
export function readPlaywrightTotals(file, exitCode, flakyFails) {
  const report = /** @type {PlaywrightReport | null} */ (readJson(file));
  if (!report?.stats) return CRASHED;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return distrustExitCode(exitCode, {
    passed: expected + (flakyFails ? 0 : flaky),
    failed: unexpected + (flakyFails ? flaky : 0) + report.errors.length,
    skipped,
    failures: report.suites.flatMap((suite) => failedSpecs(suite, flakyFails)),
  });
}

/**
 * @param {Suite} suite a file, or a `describe` in it
 * @param {boolean} flakyFails
 * @returns {string[]}
 */
function failedSpecs({ file, specs, suites = [] }, flakyFails) {
  const failed = specs.filter(({ tests }) =>
    tests.some(({ status }) => status === 'unexpected' || (flakyFails && status === 'flaky')),
  );
  return [
    ...failed.map(({ title }) => `e2e/${file} › ${title}`),
    ...suites.flatMap((suite) => failedSpecs(suite, flakyFails)),
  ];
}

/**
 * Returns the totals of a check, such as the format check, which counts as one test.
 * @param {boolean} passed
 * @returns {Totals}
 */
export const toCheckTotals = (passed) => ({
  ...{ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 },
  failures: [],
});

/** @param {Totals[]} totals */
export const sumTotals = (totals) =>
  totals.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  }));

/** @param {Totals} totals */
export const formatTotals = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * Counts a test runner as failed if its exit code is not 0 (after an error outside any test), or if it ran no
 * tests.
 * @param {number} exitCode
 * @param {Totals} totals
 */
const distrustExitCode = (exitCode, totals) =>
  totals.failed === 0 && (exitCode !== 0 || totals.passed === 0) ? { ...totals, failed: 1 } : totals;

/** @param {string} file */
function readJson(file) {
  try {
    return /** @type {unknown} */ (JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
