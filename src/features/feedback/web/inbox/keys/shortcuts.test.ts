import { expect, test } from 'vitest';
import { getInboxCommand, type KeyTarget } from './shortcuts.ts';

const pressed = (key: string, more: Partial<Parameters<typeof getInboxCommand>[0]> = {}) => ({
  key,
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...more,
});
const on = (place: KeyTarget, key: string, more = {}) => getInboxCommand(pressed(key, more), place, true);

test.each([
  ['j', 'next'],
  ['k', 'previous'],
  [' ', 'play'],
  ['b', 'back'],
  ['f', 'forward'],
  ['s', 'slower'],
  ['q', 'quicker'],
  ['u', 'line before'],
  ['n', 'next line'],
  ['l', 'melody'],
  ['z', 'undo'],
  ['a', 'later'],
  ['x', 'several'],
  ['m', 'mark'],
  ['w', 'write'],
  ['t', 'phrase'],
  ['r', 'record'],
  ['J', 'next'],
])('outside of text fields, the key %j runs the command “%s”', (key, command) => {
  expect(on('page', key)).toBe(command);
});

test('keys typed into a text field do not run commands', () => {
  for (const key of ['j', 'k', 'm', 'r', 'p', ' ', '?', 'Enter']) expect(on('field', key)).toBeNull();
});

test('in a text field, Alt with a letter runs a command, even if the keys type “∆”', () => {
  expect(on('field', 'm', { altKey: true })).toBe('mark');
  expect(on('field', 'p', { altKey: true })).toBe('play');
  expect(on('field', '∆', { altKey: true, code: 'KeyJ' })).toBe('next');
  expect(on('field', 'm', { altKey: true, ctrlKey: true })).toBeNull();
});

test('Space on a focused control does not run a command', () => {
  expect(on('control', ' ')).toBeNull();
  expect(on('control', 'm')).toBe('mark');
});

test('Ctrl+Enter and Cmd+Enter send the reply from anywhere on the page', () => {
  expect(on('field', 'Enter', { ctrlKey: true })).toBe('send');
  expect(on('page', 'Enter', { metaKey: true })).toBe('send');
  expect(on('field', 'Enter', { shiftKey: true })).toBeNull();
});

test('ignores key repeats and keys pressed while composing a character', () => {
  expect(on('page', 'j', { repeat: true })).toBeNull();
  expect(on('page', 'j', { isComposing: true })).toBeNull();
});

test('does not run commands for browser shortcuts such as Ctrl+R', () => {
  for (const key of ['r', 'j', 'k']) expect(on('page', key, { ctrlKey: true })).toBeNull();
});

test('with single-key shortcuts off, only shortcuts with Alt or Ctrl work', () => {
  expect(getInboxCommand(pressed('m'), 'page', false)).toBeNull();
  expect(getInboxCommand(pressed('m', { altKey: true }), 'page', false)).toBe('mark');
  expect(getInboxCommand(pressed('Enter', { ctrlKey: true }), 'page', false)).toBe('send');
});

test('Esc leaves a text field, but not while a character is being composed', () => {
  expect(on('field', 'Escape')).toBe('leave');
  expect(getInboxCommand(pressed('Escape'), 'field', false)).toBe('leave');
  expect(on('field', 'Escape', { isComposing: true })).toBeNull();
  for (const place of ['page', 'control'] as const) expect(on(place, 'Escape')).toBeNull();
});
