/** What the inbox can be told by keys. */
export type Command = 'next' | 'previous' | 'play' | 'mark' | 'write' | 'record' | 'send' | 'leave' | 'help';

/** Where the key went: a field one types into, a control that has a use for Space, or neither. */
export type KeyPlace = 'field' | 'control' | 'page';

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'isComposing'
>;

/** In the order in which one needs them; `inFields` works while one types, too. */
export const SHORTCUTS: readonly { command: Command; plain: string; inFields: string; does: string }[] = [
  { command: 'next', plain: 'J', inFields: 'Alt J', does: 'Next recording' },
  { command: 'previous', plain: 'K', inFields: 'Alt K', does: 'Previous recording' },
  { command: 'play', plain: 'Space', inFields: 'Alt P', does: 'Play or pause the recording' },
  {
    command: 'mark',
    plain: 'M',
    inFields: 'Alt M',
    does: 'Mark this moment; once more ends the stretch',
  },
  { command: 'write', plain: 'W', inFields: 'Alt W', does: 'Write the feedback' },
  {
    command: 'record',
    plain: 'R',
    inFields: 'Alt R',
    does: 'Record an audio response; once more ends it',
  },
  { command: 'send', plain: 'Ctrl Enter', inFields: 'Ctrl Enter', does: 'Send the feedback' },
  { command: 'leave', plain: '', inFields: 'Esc', does: 'Leave the box for its card; what is written stays' },
  { command: 'help', plain: '?', inFields: '', does: 'Show this list' },
];

const LETTERS: Record<string, Command> = {
  j: 'next',
  k: 'previous',
  p: 'play',
  m: 'mark',
  w: 'write',
  r: 'record',
};

/**
 * The command that a key press means, or null. What one types into a field is never taken from it; there the same
 * letters work with Alt.
 * @param hasLetters whether single keys count at all: speech input and a slip of the hand press them too
 */
export function commandOf(pressed: Pressed, place: KeyPlace, hasLetters: boolean): Command | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, repeat, isComposing } = pressed;
  if (repeat || isComposing) return null;
  if (key === 'Enter') return (ctrlKey || metaKey) && !altKey && !shiftKey ? 'send' : null;
  // AltGr, which writes letters, comes as Ctrl with Alt.
  if (ctrlKey || metaKey) return null;
  if (key === 'Escape') return place === 'field' && !altKey && !shiftKey ? 'leave' : null;
  if (altKey) return shiftKey ? null : (LETTERS[letterOf(pressed)] ?? null);
  if (place === 'field' || !hasLetters) return null;
  if (key === '?') return 'help';
  if (shiftKey) return null;
  if (key === ' ') return place === 'page' ? 'play' : null;
  const letter = key.toLowerCase();
  // P is for fields alone, where Space is a space.
  return letter === 'p' ? null : (LETTERS[letter] ?? null);
}

/** With Alt some keyboards write another letter ('∆'); the place of the key says which was meant. */
const letterOf = ({ key, code }: Pressed) =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
