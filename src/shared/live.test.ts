import { expect, test } from 'vitest';
import { isLiveRefetchSuppressed } from './live.ts';

test('suppresses refetching an open melody, but not its notes', () => {
  expect(['/api/melodies/7', '/api/melodies/7?x=1'].map(isLiveRefetchSuppressed)).toEqual([true, true]);
  const others = ['/api/melodies', '/api/melodies?view=card', '/api/melodies/7/teaching-notes'];
  expect(others.map(isLiveRefetchSuppressed)).toEqual([false, false, false]);
});
