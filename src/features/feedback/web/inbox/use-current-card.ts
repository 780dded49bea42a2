import { useEffect, useState } from 'react';
import { cardOf } from './card-anchors.ts';

/** Assumed reading position, as a fraction of the window's height. */
const READING_LINE = 0.35;

/** The current recording: the one with focus while the top of its card is in view, else the one being read. */
export function useCurrentCard(ids: readonly number[]) {
  const [current, setCurrent] = useState<number | null>(ids[0] ?? null);
  const order = ids.join();
  useEffect(() => {
    const cards = order === '' ? [] : order.split(',').map(Number);
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setCurrent(focusedAmong(cards) ?? readAmong(cards)));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    document.addEventListener('focusin', look);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
      document.removeEventListener('focusin', look);
    };
  }, [order]);
  return current;
}

function focusedAmong(ids: readonly number[]) {
  const id = ids.find((each) => cardOf(each)?.contains(document.activeElement));
  if (id === undefined) return null;
  const top = cardOf(id)!.getBoundingClientRect().top;
  return top >= 0 && top < innerHeight * 0.9 ? id : null;
}

const readAmong = (ids: readonly number[]) =>
  ids.find((id) => (cardOf(id)?.getBoundingClientRect().bottom ?? 0) > innerHeight * READING_LINE) ??
  ids.at(-1) ??
  null;
