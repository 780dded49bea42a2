import { expect, test } from 'vitest';
import { isLiveRefetchSuppressed } from './live.ts';

test('live changes refetch melody lists and teaching notes, but not an open melody', () => {
  expect(['/api/melodies/7', '/api/melodies/7?x=1'].map(isLiveRefetchSuppressed)).toEqual([true, true]);
  const others = ['/api/melodies', '/api/melodies?view=card', '/api/melodies/7/teaching-notes'];
  expect(others.map(isLiveRefetchSuppressed)).toEqual([false, false, false]);
});
