import { type RefObject, useEffect, useRef } from 'react';

/**
 * When the item of a list that holds focus goes, focus goes to the one that took its place, else to the last one, else
 * to what stands for an empty list; browsers would leave it nowhere. Each item carries `data-item={id}` on what is to
 * be focused, and what is there when none is `data-when-empty`.
 */
export function useFocusAfterLeaving(list: RefObject<HTMLElement | null>, ids: readonly (string | number)[]) {
  const before = useRef(ids);
  const now = useRef(ids);
  useEffect(() => {
    now.current = ids;
  });
  const key = ids.join(' ');
  useEffect(() => {
    const past = before.current;
    before.current = now.current;
    const left = past.findIndex((id) => !now.current.includes(id));
    // More than one at once is another list, as after a search.
    if (left === -1 || past.length - now.current.length > 1) return;
    // A dialog that asked before is still about to close.
    const frame = requestAnimationFrame(() => {
      // A dialog whose button has gone leaves focus on the content as a whole.
      const holder = document.activeElement;
      if (holder !== document.body && holder?.id !== 'content') return;
      const next = now.current[left] ?? now.current.at(-1);
      const place = next === undefined ? '[data-when-empty]' : `[data-item="${CSS.escape(String(next))}"]`;
      list.current?.querySelector<HTMLElement>(place)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [list, key]);
}
