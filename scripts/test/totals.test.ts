import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { toCheckTotals, readPlaywrightTotals, formatTotals, sumTotals, readVitestTotals } from './totals.js';

const folder = mkdtempSync(join(tmpdir(), 'yangchen-totals-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a report as Vitest 5 and Playwright 1.65 do, and returns its path. */
function reportFile(report: unknown) {
  const file = join(folder, 'report.json');
  writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return file;
}

const vitest = (counts: object, exitCode: number, testResults: object[] = []) =>
  formatTotals(
    readVitestTotals(
      reportFile({
        ...{ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 },
        ...counts,
        testResults,
      }),
      exitCode,
    ),
  );
const playwright = (counts: object, exitCode: number, errors: object[] = [], flakyFails = true) =>
  formatTotals(
    readPlaywrightTotals(
      reportFile({
        suites: [],
        stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...counts },
        errors,
      }),
      exitCode,
      flakyFails,
    ),
  );

test('counts passed, failed and skipped Vitest tests', () => {
  expect(vitest({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }, 0)).toBe(
    '3 passed, 0 failed, 2 skipped',
  );
  expect(vitest({ numPassedTests: 3, numFailedTests: 2 }, 1)).toBe('3 passed, 2 failed');
});

test('counts a test file that cannot be loaded as one failure', () => {
  const files = [
    { name: '/a', status: 'failed', assertionResults: [] },
    { name: '/b', status: 'failed', assertionResults: [{ status: 'failed', fullName: 'opens' }] },
  ];
  expect(vitest({ numPassedTests: 3, numFailedTests: 1 }, 1, files)).toBe('3 passed, 2 failed');
});

test('lists failed tests and test files that cannot be loaded', () => {
  const testResults = [
    { name: resolve('src/a.test.ts'), status: 'failed', assertionResults: [] },
    {
      name: resolve('src/b.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'opens' },
        { status: 'failed', fullName: 'marks deletes one' },
      ],
    },
  ];
  const counts = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
  expect(readVitestTotals(reportFile({ ...counts, testResults }), 1).failures).toEqual([
    "src/a.test.ts can't be loaded",
    'src/b.test.ts › marks deletes one',
  ]);
});

test('lists failed journeys, including nested journeys, and flaky journeys only in CI', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const report = {
    suites: [
      {
        ...{ title: 'a.spec.ts', file: 'a.spec.ts' },
        specs: [spec('sings', 'expected'), spec('sends', 'flaky')],
        suites: [{ title: 'on a phone', file: 'a.spec.ts', specs: [spec('hears', 'unexpected')] }],
      },
    ],
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
    errors: [],
  };
  expect(readPlaywrightTotals(reportFile(report), 1, false).failures).toEqual(['e2e/a.spec.ts › hears']);
  expect(readPlaywrightTotals(reportFile(report), 1, true).failures).toEqual([
    'e2e/a.spec.ts › sends',
    'e2e/a.spec.ts › hears',
  ]);
});

test('counts passed, failed and skipped journeys, and each error as a failure', () => {
  expect(playwright({ expected: 2, skipped: 1 }, 0)).toBe('2 passed, 0 failed, 1 skipped');
  expect(playwright({ expected: 2, unexpected: 1 }, 1, [{}])).toBe('2 passed, 2 failed');
});

test('counts a flaky journey as failed in CI and as passed elsewhere', () => {
  expect(playwright({ expected: 1, flaky: 1 }, 0)).toBe('1 passed, 1 failed');
  expect(playwright({ expected: 1, flaky: 1 }, 0, [], false)).toBe('2 passed, 0 failed');
});

test('counts a non-zero exit code without a failed test as one failure', () => {
  expect(vitest({ numPassedTests: 3 }, 1)).toBe('3 passed, 1 failed');
  expect(playwright({ expected: 3 }, 1)).toBe('3 passed, 1 failed');
});

test('counts a run without tests as one failure', () => {
  expect(vitest({}, 0)).toBe('0 passed, 1 failed');
  expect(playwright({}, 0)).toBe('0 passed, 1 failed');
});

test.each(['', 'half a', 'null', '{}', '[]'])('counts the invalid report %j as one failure', (report) => {
  for (const code of [0, 1, 139]) {
    expect(formatTotals(readVitestTotals(reportFile(report), code))).toBe('0 passed, 1 failed');
    expect(formatTotals(readPlaywrightTotals(reportFile(report), code, false))).toBe('0 passed, 1 failed');
  }
});

test('counts a missing report as one failure', () => {
  expect(formatTotals(readVitestTotals(join(folder, 'none.json'), 0))).toBe('0 passed, 1 failed');
});

test('adds up the totals of all runners and checks', () => {
  const all = [toCheckTotals(true), toCheckTotals(false), { passed: 4, failed: 0, skipped: 1, failures: [] }];
  expect(formatTotals(sumTotals(all))).toBe('5 passed, 1 failed, 1 skipped');
});
