import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OLDEST_BROWSERS } from '../../src/platform/web/oldest-browsers.ts';

const { safari, ios, chrome, firefox } = OLDEST_BROWSERS;
const project = join(import.meta.dirname, '..', '..');

test.each(['README.md', 'docs/browsers.md'])('%s names the oldest browsers', (name) => {
  expect(readFileSync(join(project, name), 'utf8')).toContain(
    `Safari ${safari} (iOS ${ios}), Chrome and Edge ${chrome}, Firefox ${firefox}`,
  );
});
