import { expect, test } from 'vitest';
import { type Focused, shortcutOf, usesEscape } from './shortcuts.ts';

const nothing: Focused = { tagName: 'DIV', role: 'dialog' };
const link: Focused = { tagName: 'A', role: null };
const button: Focused = { tagName: 'BUTTON', type: 'button', role: null };
const slider: Focused = { tagName: 'DIV', role: 'slider' };
const range: Focused = { tagName: 'INPUT', type: 'range', role: null };
const box: Focused = { tagName: 'INPUT', type: 'checkbox', role: null };
const field: Focused = { tagName: 'INPUT', type: 'text', role: null };
const select: Focused = { tagName: 'SELECT', role: null };

test('space plays and pauses, but presses a button that has focus', () => {
  expect([nothing, link, slider, range].map((focused) => shortcut(' ', focused))).toEqual(
    Array(4).fill('toggle'),
  );
  expect([button, field, select, box].map((focused) => shortcut(' ', focused))).toEqual(Array(4).fill(null));
});

test('arrows move, but belong to a slider that has focus', () => {
  expect([shortcut('ArrowLeft', button), shortcut('ArrowRight', nothing)]).toEqual(['back', 'forward']);
  expect([slider, range, select].map((focused) => shortcut('ArrowLeft', focused))).toEqual(
    Array(3).fill(null),
  );
});

test('a and b set the points, unless letters are switched off or one types', () => {
  expect([shortcut('a', button), shortcut('B', slider)]).toEqual(['set-a', 'set-b']);
  expect([shortcutOf(press('a'), nothing, false), shortcut('b', field)]).toEqual([null, null]);
});

test('with a modifier, or taken already, a key is left alone; held down, only moving goes on', () => {
  expect(shortcutOf({ ...press('a'), ctrlKey: true }, nothing, true)).toBeNull();
  expect(shortcutOf({ ...press(' '), defaultPrevented: true }, nothing, true)).toBeNull();
  expect(shortcutOf({ ...press(' '), repeat: true }, nothing, true)).toBeNull();
  expect(shortcutOf({ ...press('ArrowLeft'), repeat: true }, nothing, true)).toBe('back');
});

test('Esc is the field’s own where one types or chooses', () => {
  expect([field, select, button, range, nothing].map(usesEscape)).toEqual([true, true, false, false, false]);
});

const shortcut = (key: string, focused: Focused) => shortcutOf(press(key), focused, true);

const press = (key: string) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  defaultPrevented: false,
});
