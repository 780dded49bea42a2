import { expect, test } from 'vitest';
import { findStaleShellCaches } from './stale-shell-caches.ts';

test('keeps the newest shell, the three before it and all caches that are not shells', () => {
  const names = ['shell 1', 'shared sound', 'shell 2', 'shell 3', 'shell 4', 'shell 5'];
  expect(findStaleShellCaches(names, 'shell 5')).toEqual(['shell 1']);
  expect(findStaleShellCaches(names, 'shell 6')).toEqual(['shell 1', 'shell 2']);
  expect(findStaleShellCaches(['shell 5', 'shell 4'], 'shell 5')).toEqual([]);
});
