import { type RefObject, useEffect, useRef } from 'react';

export const getCardHeadingId = (recordingId: number) => `recording-${recordingId}`;

/** Focuses the recording's heading and scrolls to its card. */
export function focusCard(recordingId: number) {
  document.getElementById(getCardHeadingId(recordingId))?.focus({ preventScroll: true });
  const card = document.querySelector<HTMLElement>(`[data-recording="${recordingId}"]`);
  // Scrolls to the top of the card, which is a scroll container on wide screens.
  card?.scrollTo(0, 0);
  card?.scrollIntoView({ block: 'start' });
}

export const LOAD_MORE_FAILED_MESSAGE = 'More recordings could not be loaded.';

/** Returns the id of the recording whose card or row in the list has focus, or null. */
export function getFocusedRecordingId() {
  const card = document.activeElement?.closest<HTMLElement>('[data-recording], [data-row]');
  return card ? Number(card.dataset.recording ?? card.dataset.row) : null;
}

/**
 * Moves focus from a field to its card, where single-key shortcuts work again.
 * @returns whether a field had focus
 */
export function moveFocusFromFieldToCard() {
  const box = document.activeElement;
  // Doesn't leave a select, because Esc closes its list of options.
  const card =
    box?.matches('textarea, input, [data-no-shortcuts]') && box.closest<HTMLElement>('[data-recording]');
  if (!card) return false;
  card.focus({ preventScroll: true });
  return true;
}

/**
 * Returns a ref to the id of the recording whose card or row last had focus; null after focus moves
 * elsewhere.
 */
export function useLastFocusedCard() {
  const lastFocusedCard = useRef<number | null>(null);
  useEffect(() => {
    const note = () => {
      if (document.activeElement !== document.body) lastFocusedCard.current = getFocusedRecordingId();
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return lastFocusedCard;
}

/**
 * When the card with focus is removed, calls `onNext` with the card that takes its place, or focuses the list
 * if no card is left. If the teacher has moved to another card while the reply was being sent, focus stays
 * there.
 */
export function useFocusNextCard(
  ids: readonly number[],
  lastFocusedCard: RefObject<number | null>,
  list: RefObject<HTMLElement | null>,
  onNext: (next: number, left: number) => void,
) {
  const before = useRef(ids);
  useEffect(() => {
    const left = before.current;
    before.current = ids;
    const at = left.findIndex((id) => id === lastFocusedCard.current);
    if (at === -1 || ids.includes(left[at]!)) return;
    const next = left.slice(at + 1).find((id) => ids.includes(id)) ?? ids.at(-1);
    if (next === undefined) list.current?.focus();
    else onNext(next, left[at]!);
  });
}
