import { describe, expect, it } from 'vitest';
import { ofCheck, ofPlaywright, ofVitest, readReport, sentence, sum } from './summary.js';

/** Reports as vitest 5 and Playwright 1.65 write them, less what nobody reads. */
const fixture = (name: string) => readReport(new URL(`./fixtures/${name}.json`, import.meta.url).pathname);

describe('the numbers of vitest', () => {
  it('are taken from its report', () => {
    expect(ofVitest(fixture('vitest-passed'), 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
  });

  it('count a file that can not be loaded as failed', () => {
    expect(ofVitest(fixture('vitest-failed'), 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('count an error outside of any test as failed', () => {
    expect(ofVitest(fixture('vitest-passed'), 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  it('are a failure when there was no test', () => {
    expect(ofVitest(fixture('vitest-empty'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('the numbers of Playwright', () => {
  it('are taken from its report', () => {
    expect(ofPlaywright(fixture('playwright-passed'), 0, true)).toEqual({ passed: 2, failed: 0, skipped: 1 });
  });

  it('count passing at the second run as failed in CI, and as passed elsewhere', () => {
    expect(ofPlaywright(fixture('playwright-failed'), 1, true)).toEqual({ passed: 1, failed: 2, skipped: 1 });
    const flaky = { stats: { expected: 1, unexpected: 0, flaky: 1, skipped: 0 } };
    expect(ofPlaywright(flaky, 0, true)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(ofPlaywright(flaky, 0, false)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });

  it('are a failure when there was no journey', () => {
    expect(ofPlaywright(fixture('playwright-empty'), 1, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('a runner that crashed', () => {
  it('counts as one failed, whatever its exit code', () => {
    for (const code of [0, 1, 139]) {
      expect(ofVitest(fixture('there-is-none'), code)).toEqual({ passed: 0, failed: 1, skipped: 0 });
      expect(ofPlaywright(fixture('there-is-none'), code, true)).toEqual({
        passed: 0,
        failed: 1,
        skipped: 0,
      });
    }
  });

  it('counts as one failed when its report is of no use', () => {
    for (const report of [{}, [], 'half a', { testResults: [] }, { stats: {} }]) {
      expect(ofVitest(report, 0).failed).toBe(1);
      expect(ofPlaywright(report, 0, true).failed).toBe(1);
    }
  });
});

describe('the last line', () => {
  it('is the sum of all, and tells of skipped ones only when there are some', () => {
    const checks = [ofCheck(true), ofCheck(false)];
    expect(sentence(sum(checks))).toBe('1 passed, 1 failed');
    expect(sentence(sum([...checks, { passed: 40, failed: 0, skipped: 2 }]))).toBe(
      '41 passed, 1 failed, 2 skipped',
    );
  });
});
