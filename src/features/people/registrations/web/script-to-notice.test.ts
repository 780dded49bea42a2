import { expect, test } from 'vitest';
import { scriptToNotice } from './script-to-notice.ts';

test.each([
  ['Сара', 'Cyrillic'],
  ['Anna Оксана', 'Cyrillic'],
  ['Νίκη', 'Greek'],
  ['Sara', null],
  ['བཀྲ་ཤིས', null],
  ['王伟', null],
])('the look-alike script of “%s” is %s', (name, script) => {
  expect(scriptToNotice(name)).toBe(script);
});
