/** How much of a text field is above the end of the line in which the caret is, in pixels. */
export function bottomOfLine(area: HTMLTextAreaElement | HTMLInputElement): number {
  if (area instanceof HTMLInputElement) return area.clientHeight;
  const copy = document.createElement('div');
  const style = getComputedStyle(area);
  for (const property of COPIED) copy.style.setProperty(property, style.getPropertyValue(property));
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    boxSizing: 'border-box',
    width: `${area.clientWidth}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  const caret = document.createElement('span');
  caret.textContent = '\u200b';
  copy.append(area.value.slice(0, area.selectionEnd), caret);
  document.body.append(copy);
  const bottom = caret.offsetTop + Number.parseFloat(style.lineHeight);
  copy.remove();
  return Math.min(bottom - area.scrollTop, area.clientHeight);
}

/** What decides where lines break. */
const COPIED = [
  'direction',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'padding-block-start',
  'padding-block-end',
  'padding-inline-start',
  'padding-inline-end',
  'tab-size',
  'text-indent',
  'word-spacing',
];
