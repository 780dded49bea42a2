import { expect, test } from 'vitest';
import { scriptToNotice } from './script-to-notice.ts';

test.each([
  ['Сара', 'Cyrillic'],
  ['Anna Оксана', 'Cyrillic'],
  ['Νίκη', 'Greek'],
  ['Sara', null],
  ['བཀྲ་ཤིས', null],
  ['王伟', null],
])('%s: the teacher is told %s', (name, script) => {
  expect(scriptToNotice(name)).toBe(script);
});
