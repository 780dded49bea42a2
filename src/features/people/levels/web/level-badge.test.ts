import { expect, test } from 'vitest';
import { DEFAULT_LEVELS } from '../limits.ts';
import { getLevelTone } from './level-badge.tsx';

test('the five default levels keep their colours, whatever their ids', () => {
  const tones = (firstId: number) =>
    DEFAULT_LEVELS.map(({ name }, index) => getLevelTone({ id: firstId + index, name }));
  expect(tones(1)).toEqual(['saffron', 'maroon', 'jade', 'lapis', 'plum']);
  expect(tones(40)).toEqual(tones(1));
});

test('a custom level gets a colour by its id, different from the five default colours', () => {
  const tones = [7, 8, 9, 10].map((id) => getLevelTone({ id, name: 'Mahamudra' }));
  expect(tones).toEqual(['clay', 'slate', 'teal', 'clay']);
  expect(getLevelTone({ id: 7, name: 'Great Perfection' })).toBe(tones[0]);
});
