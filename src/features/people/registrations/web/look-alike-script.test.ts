import { expect, test } from 'vitest';
import { findLookAlikeScript } from './look-alike-script.ts';

test.each([
  ['Сара', 'Cyrillic'],
  ['Anna Оксана', 'Cyrillic'],
  ['Νίκη', 'Greek'],
  ['Sara', null],
  ['བཀྲ་ཤིས', null],
  ['王伟', null],
])('the look-alike script of “%s” is %s', (name, script) => {
  expect(findLookAlikeScript(name)).toBe(script);
});
