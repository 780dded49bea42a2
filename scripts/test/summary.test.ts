import { describe, expect, it } from 'vitest';
import { failures, ofCheck, ofPlaywright, ofVitest, readReport, sentence, slowest } from './summary.js';

/** Reports as vitest 5 and Playwright 1.65 write them, without unused fields. */
const fixture = (name: string) => readReport(new URL(`./fixtures/${name}.json`, import.meta.url).pathname);

const vitest = (name: string, exitCode: number) => sentence(ofVitest(fixture(name), exitCode, process.cwd()));
const playwright = (name: string, exitCode: number, isCi = true) =>
  sentence(ofPlaywright(fixture(name), exitCode, isCi));

describe('the numbers of vitest', () => {
  it('are taken from its report', () => {
    expect(vitest('vitest-passed', 0)).toBe('3 passed, 0 failed, 2 skipped');
  });

  it('count a file that cannot be loaded as failed', () => {
    expect(vitest('vitest-failed', 1)).toBe('3 passed, 2 failed, 2 skipped');
  });

  it('count an error outside of any test as failed', () => {
    expect(vitest('vitest-passed', 1)).toBe('3 passed, 1 failed, 2 skipped');
  });

  it('are a failure when there was no test', () => {
    expect(vitest('vitest-empty', 0)).toBe('0 passed, 1 failed');
  });
});

describe('the numbers of Playwright', () => {
  it('are taken from its report, with those in groups', () => {
    expect(playwright('playwright-passed', 0)).toBe('2 passed, 0 failed, 1 skipped');
  });

  it('count a flaky journey as failed in CI, and as passed elsewhere', () => {
    expect(playwright('playwright-failed', 1)).toBe('1 passed, 2 failed, 1 skipped');
    expect(playwright('playwright-failed', 1, false)).toBe('2 passed, 1 failed, 1 skipped');
  });

  it('are a failure when there was no journey', () => {
    expect(playwright('playwright-empty', 1)).toBe('0 passed, 1 failed');
  });
});

describe('a runner that crashed', () => {
  it('counts as one failed, whatever its exit code', () => {
    for (const code of [0, 1, 139]) {
      expect(vitest('there-is-none', code)).toBe('0 passed, 1 failed');
      expect(playwright('there-is-none', code)).toBe('0 passed, 1 failed');
    }
  });

  it('counts as one failed when its report is unreadable', () => {
    for (const report of [{}, [], 'half a', { testResults: [] }, { testResults: [{}] }, { suites: [] }]) {
      expect(sentence(ofVitest(report, 0, process.cwd()))).toBe('0 passed, 1 failed');
      expect(sentence(ofPlaywright(report, 0, true))).toBe('0 passed, 1 failed');
    }
  });
});

describe('the end of a run', () => {
  it('names what failed, with the first lines of the reason', () => {
    const check = ofCheck('Format', false, 'Checking …\n\n[warn] a.ts');
    expect(failures([check, ...ofPlaywright(fixture('playwright-failed'), 1, true)])).toBe(
      [
        '✗ Format',
        '    Checking …',
        '    [warn] a.ts',
        '✗ e2e/a.spec.ts › listens',
        '    No sound',
        '✗ e2e/a.spec.ts › answers (flaky)',
        '    Too late',
      ].join('\n'),
    );
    expect(failures([ofCheck('Format', true, 'Checking …')])).toBe('');
  });

  it('names the ten slowest, including retries', () => {
    const journeys = ofPlaywright(fixture('playwright-failed'), 1, true);
    expect(slowest(journeys).split('\n').slice(0, 3)).toEqual([
      '   2.0 s  e2e/a.spec.ts › listens',
      '   2.0 s  e2e/a.spec.ts › answers (flaky)',
      '   1.0 s  e2e/a.spec.ts › sings',
    ]);
    expect(slowest(Array.from({ length: 30 }, () => ofCheck('Format', true, ''))).split('\n')).toHaveLength(
      10,
    );
  });

  it('is the sum of all, and mentions skipped ones only if there are some', () => {
    const checks = [ofCheck('Format', true, ''), ofCheck('Lint', false, '')];
    expect(sentence(checks)).toBe('1 passed, 1 failed');
    expect(sentence([...checks, { name: 'one', outcome: 'skipped', ms: 0 }])).toBe(
      '1 passed, 1 failed, 1 skipped',
    );
  });
});
