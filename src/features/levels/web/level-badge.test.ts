import { expect, test } from 'vitest';
import { DEFAULT_LEVELS } from '../limits.ts';
import { toneOfLevel } from './level-badge.tsx';

test('the five known levels have colours of their own, whatever their ids; others have one by their id', () => {
  const known = DEFAULT_LEVELS.map(({ name }, index) => toneOfLevel({ id: 100 - index, name }));
  expect(known).toEqual(['saffron', 'maroon', 'jade', 'lapis', 'plum']);
  const others = [6, 7, 8].map((id) => toneOfLevel({ id, name: `Level ${id}` }));
  expect(new Set([...known, ...others]).size).toBe(8);
  expect(toneOfLevel({ id: 9, name: 'Renamed' })).toBe(toneOfLevel({ id: 6, name: 'Level 6' }));
});
