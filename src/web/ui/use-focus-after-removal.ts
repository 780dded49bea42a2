import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves focus on when the focused item of a list is removed, because browsers would lose the focus. Focuses the
 * item that takes its place, otherwise the last item, otherwise the placeholder of the empty list. While a
 * dialog has focus, waits until it has closed. Each item needs `data-item={id}` on the element to focus, and
 * the placeholder `data-when-empty`.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, ids: readonly (string | number)[]) {
  const before = useRef(ids);
  const now = useRef(ids);
  const waiting = useRef<AbortController>(null);
  useEffect(() => {
    now.current = ids;
  });
  useEffect(() => () => waiting.current?.abort(), []);
  const key = ids.join(' ');
  useEffect(() => {
    const past = before.current;
    before.current = now.current;
    const left = past.findIndex((id) => !now.current.includes(id));
    // Leaves focus alone if several items are gone at once, because then the list was replaced, for example
    // after a search.
    if (left === -1 || past.length - now.current.length > 1) return;
    waiting.current?.abort();
    const { signal } = (waiting.current = new AbortController());
    const settle = () => {
      if (signal.aborted) return;
      const holder = document.activeElement;
      if (holder?.closest('[role=dialog], [role=alertdialog]')) return;
      waiting.current?.abort();
      // Focus on the `content` element counts as lost, because a closing dialog moves focus there if the
      // button that opened it is gone.
      if (holder !== document.body && holder?.id !== 'content') return;
      const next = now.current[left] ?? now.current.at(-1);
      const place = next === undefined ? '[data-when-empty]' : `[data-item="${CSS.escape(String(next))}"]`;
      list.current?.querySelector<HTMLElement>(place)?.focus();
    };
    document.addEventListener('focusin', settle, { signal });
    requestAnimationFrame(settle);
  }, [list, key]);
}
