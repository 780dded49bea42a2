import { expect, test } from 'vitest';
import { pickFreeUsername, toUsernameStem } from './usernames.ts';

test.each([
  ['Tashi.Dolma@example.org', 'tashi.dolma'],
  ['josé+songs@example.org', 'josesongs'],
  ['.odd.@example.org', 'odd'],
  ['བཀྲ་ཤིས@example.org', 'student'],
  ['"a@b"@example.org', 'ab'],
  [`${'x'.repeat(64)}@example.org`, 'x'.repeat(60)],
  [`${'x'.repeat(59)}.yz@example.org`, 'x'.repeat(59)],
])('the email %s becomes the username %s', (email, stem) => {
  expect(toUsernameStem(email)).toBe(stem);
});

test('adds the lowest free number to a taken username', () => {
  expect(pickFreeUsername('pema', new Set())).toBe('pema');
  expect(pickFreeUsername('pema', new Set(['pema', 'pema2', 'pema4']))).toBe('pema3');
});
