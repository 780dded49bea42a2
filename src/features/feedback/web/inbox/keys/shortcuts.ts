/** Keyboard commands of the inbox. */
export type InboxCommand =
  | 'next'
  | 'previous'
  | 'play'
  | 'back'
  | 'forward'
  | 'slower'
  | 'quicker'
  | 'line before'
  | 'next line'
  | 'melody'
  | 'mark'
  | 'voice'
  | 'write'
  | 'phrase'
  | 'record'
  | 'send'
  | 'undo'
  | 'later'
  | 'several'
  | 'leave'
  | 'help';

/** Target of the key: a text field, a control that handles Space itself, or neither. */
export type KeyTarget = 'field' | 'control' | 'page';

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'isComposing'
>;

/** Shortcuts in the order in which teachers need them. The keys in `inFields` also work while typing. */
export const INBOX_SHORTCUTS: readonly {
  command: InboxCommand;
  plain: string;
  inFields: string;
  description: string;
}[] = [
  { command: 'next', plain: 'J', inFields: 'Alt J', description: 'Next recording' },
  { command: 'previous', plain: 'K', inFields: 'Alt K', description: 'Previous recording' },
  { command: 'play', plain: 'Space', inFields: 'Alt P', description: 'Play or pause the recording' },
  { command: 'back', plain: 'B', inFields: 'Alt B', description: 'Back 3 seconds' },
  { command: 'forward', plain: 'F', inFields: 'Alt F', description: 'Forward 3 seconds' },
  { command: 'slower', plain: 'S', inFields: 'Alt S', description: 'Slower' },
  { command: 'quicker', plain: 'Q', inFields: 'Alt Q', description: 'Faster' },
  {
    command: 'line before',
    plain: 'U',
    inFields: 'Alt U',
    description: 'Previous line, or the start of this line',
  },
  { command: 'next line', plain: 'N', inFields: 'Alt N', description: 'Next line' },
  {
    command: 'melody',
    plain: 'L',
    inFields: 'Alt L',
    description: 'Play this line: melody, then student',
  },
  {
    command: 'mark',
    plain: 'M',
    inFields: 'Alt M',
    description: 'Add a comment here; press again where it should end',
  },
  {
    command: 'voice',
    plain: 'V',
    inFields: 'Alt V',
    description: 'Hold to record a voice comment; playback pauses',
  },
  { command: 'write', plain: 'W', inFields: 'Alt W', description: 'Write the feedback' },
  { command: 'phrase', plain: 'T', inFields: 'Alt T', description: 'Insert a phrase (same as typing “/”)' },
  {
    command: 'record',
    plain: 'R',
    inFields: 'Alt R',
    description: 'Record an audio response; press again to stop',
  },
  { command: 'send', plain: 'Ctrl Enter', inFields: 'Ctrl Enter', description: 'Send the feedback' },
  { command: 'undo', plain: 'Z', inFields: 'Alt Z', description: 'Undo sending, while “Undo” is shown' },
  { command: 'later', plain: 'A', inFields: 'Alt A', description: 'Snooze the recording' },
  { command: 'several', plain: 'X', inFields: 'Alt X', description: 'Reply to several recordings at once' },
  { command: 'leave', plain: '', inFields: 'Esc', description: 'Leave the text box; your text stays' },
  { command: 'help', plain: '?', inFields: '', description: 'Show this list' },
];

const COMMAND_BY_LETTER: Record<string, InboxCommand> = {
  j: 'next',
  k: 'previous',
  p: 'play',
  b: 'back',
  f: 'forward',
  s: 'slower',
  q: 'quicker',
  u: 'line before',
  n: 'next line',
  l: 'melody',
  m: 'mark',
  v: 'voice',
  w: 'write',
  t: 'phrase',
  r: 'record',
  z: 'undo',
  a: 'later',
  x: 'several',
};

/**
 * Returns the command for a key press, or null. Never intercepts text typed into a field, where letters are
 * commands only with Alt.
 * @param hasLetters whether single letters are commands. Users can turn them off, because speech input and
 *   accidental presses trigger them too
 */
export function getInboxCommand(
  pressed: Pressed,
  place: KeyTarget,
  hasLetters: boolean,
): InboxCommand | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, repeat, isComposing } = pressed;
  if (repeat || isComposing) return null;
  if (key === 'Enter') return (ctrlKey || metaKey) && !altKey && !shiftKey ? 'send' : null;
  // Also ignores Ctrl with Alt. Browsers report AltGr, which types characters, as Ctrl with Alt.
  if (ctrlKey || metaKey) return null;
  if (key === 'Escape') return place === 'field' && !altKey && !shiftKey ? 'leave' : null;
  if (altKey) return shiftKey ? null : (COMMAND_BY_LETTER[getLetter(pressed)] ?? null);
  if (place === 'field' || !hasLetters) return null;
  if (key === '?') return 'help';
  if (shiftKey) return null;
  if (key === ' ') return place === 'page' ? 'play' : null;
  const letter = key.toLowerCase();
  // P alone is not a shortcut. Alt+P plays while typing in a field, where Space types a space.
  return letter === 'p' ? null : (COMMAND_BY_LETTER[letter] ?? null);
}

/**
 * Returns the letter of a key. With Alt, some keyboards type another character ('∆'). Then the key's position
 * determines the letter.
 */
const getLetter = ({ key, code }: Pressed) =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
