export type Shortcut = 'toggle' | 'back' | 'forward' | 'set-a' | 'set-b' | 'loop-line';

type KeyPress = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  defaultPrevented: boolean;
};

/** The properties of the focused element that determine which keys it handles itself. */
export type FocusedElement = {
  tagName: string;
  type?: string;
  role: string | null;
  isContentEditable?: boolean;
};

/**
 * Returns the shortcut for a key press, or null if there is none or the focused element handles the key.
 * @param hasLetters whether single letters are shortcuts too
 */
export function getShortcut(
  pressed: KeyPress,
  focused: FocusedElement,
  hasLetters: boolean,
): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = pressed;
  if (defaultPrevented || ctrlKey || metaKey || altKey || usesKey(focused, key)) return null;
  const shortcut = shortcuts[key.toLowerCase()] ?? null;
  if (/^[a-z]$/i.test(key) && !hasLetters) return null;
  // When a key is held down, only seeking repeats.
  return repeat && shortcut !== 'back' && shortcut !== 'forward' ? null : shortcut;
}

/** Returns whether the control handles Esc itself, to close a select or to undo typing. */
export const usesEscape = (focused: FocusedElement) => isField(focused);

const shortcuts: Record<string, Shortcut | undefined> = {
  ' ': 'toggle',
  arrowleft: 'back',
  arrowright: 'forward',
  a: 'set-a',
  b: 'set-b',
  l: 'loop-line',
};

function usesKey(focused: FocusedElement, key: string): boolean {
  if (isField(focused)) return true;
  const { type = '', role } = focused;
  if (key === ' ') return isPressedBySpace(focused);
  if (key.startsWith('Arrow')) return role === 'slider' || type === 'range' || type === 'radio';
  return false;
}

/**
 * Returns whether Space presses the element. Sliders, including range inputs, use the arrow keys instead, and
 * links use Enter.
 */
const isPressedBySpace = ({ tagName, type, role }: FocusedElement) =>
  PRESSED_BY_SPACE.has(role ?? tagName.toLowerCase()) || (tagName === 'INPUT' && type !== 'range');

const PRESSED_BY_SPACE = new Set(['button', 'summary', 'checkbox', 'switch', 'radio', 'tab', 'menuitem']);

/** Returns whether the element is a text field or a select, which handle every key. */
function isField({ tagName, type = 'text', isContentEditable = false }: FocusedElement): boolean {
  if (isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT') return true;
  return tagName === 'INPUT' && !['range', 'checkbox', 'radio', 'button', 'submit'].includes(type);
}
