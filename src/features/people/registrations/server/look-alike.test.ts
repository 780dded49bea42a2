import { expect, test } from 'vitest';
import { isDisguised, skeleton } from './look-alike.ts';

test.each([
  ['Khandro-la', 'khandro la'],
  ['Khandro-la', 'КНАΝDRO-LA'],
  ['Khandro-la', 'Кһаndrо-ӏа'],
  ['Khandro-la', 'Khändro—Ia'],
  ['Khandro-la', 'Khandr0-1a'],
  ['Lama Norbu', 'Lama Norbu.'],
  ['Arnold', 'Amold'],
])('%s and %s look alike', (one, other) => {
  expect(skeleton(one)).toBe(skeleton(other));
});

test.each([
  ['Khandro-la', 'Khandro Pema'],
  ['Tashi', 'Tashi Dolma'],
  ['བཀྲ་ཤིས', 'བཀྲ་ཤོས'],
])('%s and %s do not look alike', (one, other) => {
  expect(skeleton(one)).not.toBe(skeleton(other));
});

test('a namesake is not disguised, even with other capitals or spaces', () => {
  expect(isDisguised('Tashi Dolma', 'Tashi Dolma')).toBe(false);
  expect(isDisguised('TASHI  dolma', 'Tashi Dolma')).toBe(false);
  expect(isDisguised('Таѕһі Dоlmа', 'Tashi Dolma')).toBe(true);
});
