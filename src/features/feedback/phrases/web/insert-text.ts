export type TextBox = HTMLTextAreaElement | HTMLInputElement;

/** Puts text in place of what is selected, as if it had been typed: the browser's own undo takes it back. */
export function insertText(area: TextBox, text: string) {
  area.focus();
  if (document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart ?? 0, area.selectionEnd ?? 0, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}

/** Where a slash was put by a key rather than typed; it goes again if nothing is chosen. */
const byKey = new WeakMap<TextBox, number>();

export const wasBegunByKey = (area: TextBox, start: number) => byKey.get(area) === start;

/** Asks for phrases at the end of the word in which the caret is. */
export function beginPhrase(area: HTMLTextAreaElement) {
  area.focus();
  const { value, selectionEnd } = area;
  const end = selectionEnd + value.slice(selectionEnd).search(/\s|$/);
  const space = end === 0 || /\s/.test(value[end - 1]!) ? '' : ' ';
  area.setSelectionRange(end, end);
  byKey.set(area, end + space.length);
  insertText(area, `${space}/`);
}
