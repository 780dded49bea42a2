import { expect, test } from 'vitest';
import { splitName } from './split-name.ts';

test.each([
  ['Tashi Dolma', 'Tashi', 'Dolma'],
  ['Khandro Pema Lhamo', 'Khandro Pema', 'Lhamo'],
  ['Jampa', 'Jampa', null],
  ['པདྨ འཚོ', 'པདྨ', 'འཚོ'],
  ['Anna\u00a0 Berg', 'Anna', 'Berg'],
])('splits %s into first name %s and last name %s', (fullName, firstName, lastName) => {
  expect(splitName(fullName)).toEqual({ firstName, lastName });
});
