export type Shortcut = 'toggle' | 'back' | 'forward' | 'set-a' | 'set-b';

type Pressed = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  defaultPrevented: boolean;
};

/** What has focus, as far as it says which keys are its own. */
export type Focused = { tagName: string; type?: string; role: string | null; isContentEditable?: boolean };

/** What a key means to the player; null when it means nothing, or belongs to what has focus. */
export function shortcutOf(pressed: Pressed, focused: Focused, hasLetters: boolean): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = pressed;
  if (defaultPrevented || ctrlKey || metaKey || altKey || uses(focused, key)) return null;
  const shortcut = shortcuts[key.toLowerCase()] ?? null;
  const isLetter = shortcut === 'set-a' || shortcut === 'set-b';
  if (isLetter && !hasLetters) return null;
  // Held down, only moving goes on.
  return repeat && shortcut !== 'back' && shortcut !== 'forward' ? null : shortcut;
}

/** Whether Esc is the control's own: it closes a list of choices, or takes back what is being typed. */
export const usesEscape = (focused: Focused) => isField(focused);

const shortcuts: Record<string, Shortcut | undefined> = {
  ' ': 'toggle',
  arrowleft: 'back',
  arrowright: 'forward',
  a: 'set-a',
  b: 'set-b',
};

function uses(focused: Focused, key: string): boolean {
  if (isField(focused)) return true;
  const { type = '', role } = focused;
  if (key === ' ') return isPressedBySpace(focused);
  if (key.startsWith('Arrow')) return role === 'slider' || type === 'range' || type === 'radio';
  return false;
}

/** A slider of either kind goes by arrows, a link by Enter. */
const isPressedBySpace = ({ tagName, type, role }: Focused) =>
  PRESSED_BY_SPACE.has(role ?? tagName.toLowerCase()) || (tagName === 'INPUT' && type !== 'range');

const PRESSED_BY_SPACE = new Set(['button', 'summary', 'checkbox', 'switch', 'radio', 'tab', 'menuitem']);

/** Where one types or chooses: every key is its own. */
function isField({ tagName, type = 'text', isContentEditable = false }: Focused): boolean {
  if (isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT') return true;
  return tagName === 'INPUT' && !['range', 'checkbox', 'radio', 'button', 'submit'].includes(type);
}
