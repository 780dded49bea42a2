import { expect, test } from 'vitest';
import { type FocusedElement, getShortcut, usesEscape } from './shortcuts.ts';

const nothing: FocusedElement = { tagName: 'DIV', role: 'dialog' };
const link: FocusedElement = { tagName: 'A', role: null };
const button: FocusedElement = { tagName: 'BUTTON', type: 'button', role: null };
const slider: FocusedElement = { tagName: 'DIV', role: 'slider' };
const range: FocusedElement = { tagName: 'INPUT', type: 'range', role: null };
const box: FocusedElement = { tagName: 'INPUT', type: 'checkbox', role: null };
const field: FocusedElement = { tagName: 'INPUT', type: 'text', role: null };
const select: FocusedElement = { tagName: 'SELECT', role: null };

test('Space plays and pauses, unless the focused control handles Space itself', () => {
  expect([nothing, link, slider, range].map((focused) => shortcut(' ', focused))).toEqual(
    Array(4).fill('toggle'),
  );
  expect([button, field, select, box].map((focused) => shortcut(' ', focused))).toEqual(Array(4).fill(null));
});

test('arrow keys seek, unless a slider or select is focused', () => {
  expect([shortcut('ArrowLeft', button), shortcut('ArrowRight', nothing)]).toEqual(['back', 'forward']);
  expect([slider, range, select].map((focused) => shortcut('ArrowLeft', focused))).toEqual(
    Array(3).fill(null),
  );
});

test('A and B set the loop points, unless letter keys are off or the user is typing', () => {
  expect([shortcut('a', button), shortcut('B', slider)]).toEqual(['set-a', 'set-b']);
  expect([getShortcut(press('a'), nothing, false), shortcut('b', field)]).toEqual([null, null]);
});

test('ignores keys with modifiers, and auto-repeated keys unless they seek', () => {
  expect(getShortcut({ ...press('a'), ctrlKey: true }, nothing, true)).toBeNull();
  expect(getShortcut({ ...press(' '), defaultPrevented: true }, nothing, true)).toBeNull();
  expect(getShortcut({ ...press(' '), repeat: true }, nothing, true)).toBeNull();
  expect(getShortcut({ ...press('ArrowLeft'), repeat: true }, nothing, true)).toBe('back');
});

test('text fields and selects handle Esc themselves', () => {
  expect([field, select, button, range, nothing].map(usesEscape)).toEqual([true, true, false, false, false]);
});

const shortcut = (key: string, focused: FocusedElement) => getShortcut(press(key), focused, true);

const press = (key: string) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  defaultPrevented: false,
});
