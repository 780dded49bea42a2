import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/**
 * Creates an empty folder for each test of the file and removes it afterwards.
 * @returns a function that returns the path of the current test's folder
 */
export function createTemporaryFolderPerTest(): () => string {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'yangchen-test-'));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  return () => path;
}
