import type { ClipboardEvent } from 'react';
import type { Verse } from '../parse.ts';

/**
 * Copies the text as it was typed. Browsers copy what is displayed, so upper case; and a selection of several lines
 * would lose their tags and the blank lines between verses.
 */
export function copyTyped(event: ClipboardEvent<HTMLElement>, verses: readonly Verse[]) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const selected = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')]
    .map((element) => ({ line: Number(element.dataset.line), words: wordsWithin(element, range) }))
    .filter(({ words }) => words !== '');
  if (selected.length === 0) return;

  const typed = new Map(
    verses.flatMap((verse, place) =>
      verse.flatMap(({ parts }) => parts.map((part) => [part.line, { ...part, verse: place }] as const)),
    ),
  );
  const text = selected.map(({ line, words }, i) => {
    const part = typed.get(line);
    const before = typed.get(selected[i - 1]?.line ?? -1);
    const isWhole = selected.length > 1 && words === part?.words;
    const gap = i === 0 ? '' : before?.verse === part?.verse ? '\n' : '\n\n';
    return gap + (isWhole && part ? part.raw.trim() : words);
  });
  event.clipboardData.setData('text/plain', text.join(''));
  event.preventDefault();
}

function wordsWithin(element: HTMLElement, selected: Range): string {
  if (!selected.intersectsNode(element)) return '';
  const range = document.createRange();
  range.selectNodeContents(element);
  if (selected.compareBoundaryPoints(Range.START_TO_START, range) > 0)
    range.setStart(selected.startContainer, selected.startOffset);
  if (selected.compareBoundaryPoints(Range.END_TO_END, range) < 0)
    range.setEnd(selected.endContainer, selected.endOffset);
  return range.toString();
}
