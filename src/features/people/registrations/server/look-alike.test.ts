import { expect, test } from 'vitest';
import { isLookAlike, toConfusableSkeleton } from './look-alike.ts';

test.each([
  ['Khandro-la', 'khandro la'],
  ['Khandro-la', 'КНАΝDRO-LA'],
  ['Khandro-la', 'Кһаndrо-ӏа'],
  ['Khandro-la', 'Khändro—Ia'],
  ['Khandro-la', 'Khandr0-1a'],
  ['Lama Norbu', 'Lama Norbu.'],
  ['Arnold', 'Amold'],
])('%s and %s look alike', (one, other) => {
  expect(toConfusableSkeleton(one)).toBe(toConfusableSkeleton(other));
});

test.each([
  ['Khandro-la', 'Khandro Pema'],
  ['Tashi', 'Tashi Dolma'],
  ['བཀྲ་ཤིས', 'བཀྲ་ཤོས'],
])('%s and %s do not look alike', (one, other) => {
  expect(toConfusableSkeleton(one)).not.toBe(toConfusableSkeleton(other));
});

test('the same name with different capitals or spacing is not a look-alike', () => {
  expect(isLookAlike('Tashi Dolma', 'Tashi Dolma')).toBe(false);
  expect(isLookAlike('TASHI  dolma', 'Tashi Dolma')).toBe(false);
  expect(isLookAlike('Таѕһі Dоlmа', 'Tashi Dolma')).toBe(true);
});
