import { type RefObject, useEffect, useRef } from 'react';

// Anchors of the pending recordings' forms on the page.

export const headingIdOf = (recordingId: number) => `recording-${recordingId}`;

/** Focuses the recording's heading and scrolls to its card. */
export function goTo(recordingId: number) {
  document.getElementById(headingIdOf(recordingId))?.focus({ preventScroll: true });
  document
    .querySelector<HTMLElement>(`[data-recording="${recordingId}"]`)
    ?.scrollIntoView({ block: 'start' });
}

export const MORE_FAILED = 'More recordings could not be loaded.';

/** Returns the id of the recording whose card or row in the list has focus, or null. */
export function focusedId() {
  const card = document.activeElement?.closest<HTMLElement>('[data-recording], [data-row]');
  return card ? Number(card.dataset.recording ?? card.dataset.row) : null;
}

/**
 * Moves focus from a field to its card, where single keys work again.
 * @returns whether a field had focus
 */
export function leaveBox() {
  const box = document.activeElement;
  // Not from a select, because Esc closes its list.
  const card =
    box?.matches('textarea, input, [data-no-shortcuts]') && box.closest<HTMLElement>('[data-recording]');
  if (!card) return false;
  card.focus({ preventScroll: true });
  return true;
}

/** Tracks the last card with focus; null once focus is elsewhere. */
export function useWorkedIn() {
  const workedIn = useRef<number | null>(null);
  useEffect(() => {
    const note = () => {
      if (document.activeElement !== document.body) workedIn.current = focusedId();
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return workedIn;
}

/**
 * When the card with focus is removed, opens the one that takes its place. If the teacher moved to another card while a
 * reply was being sent, focus stays there.
 */
export function useFocusOnTheNext(
  ids: readonly number[],
  workedIn: RefObject<number | null>,
  list: RefObject<HTMLElement | null>,
  onNext: (next: number, left: number) => void,
) {
  const before = useRef(ids);
  useEffect(() => {
    const left = before.current;
    before.current = ids;
    const at = left.findIndex((id) => id === workedIn.current);
    if (at === -1 || ids.includes(left[at]!)) return;
    const next = left.slice(at + 1).find((id) => ids.includes(id)) ?? ids.at(-1);
    if (next === undefined) list.current?.focus();
    else onNext(next, left[at]!);
  });
}
