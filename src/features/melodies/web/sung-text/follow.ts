import { type RefObject, useEffect, useState } from 'react';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { glide } from './glide.ts';

const SCROLL_KEYS = ['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown'];
/** How close a line may come to the edges before the text scrolls, as fractions of the height. */
const MARGIN = { top: 0.12, bottom: 0.3 };

/**
 * Keeps the element marked `aria-current` in view while the melody plays. Stops when the reader scrolls, until the
 * reader asks to come back or the melody is started again.
 */
export function useFollow(list: RefObject<HTMLElement | null>, clock: PracticeClock | null, lit: number) {
  const [hasLeft, setHasLeft] = useState(false);

  useEffect(() => {
    const element = list.current;
    if (!element || !clock) return;
    const listening = new AbortController();
    const { signal } = listening;
    let wasPlaying = clock.isPlaying();
    const stopFollowing = () => {
      if (clock.isPlaying()) setHasLeft(true);
    };
    const scroller = scrollerOf(element);
    for (const type of ['wheel', 'touchmove'])
      scroller.addEventListener(type, stopFollowing, { signal, passive: true });
    document.addEventListener(
      'keydown',
      ({ key, target }) => {
        const isAtControl = target instanceof HTMLInputElement || isSlider(target);
        if (SCROLL_KEYS.includes(key) && !isAtControl) stopFollowing();
      },
      { signal },
    );
    const leave = clock.subscribe(() => {
      const isPlaying = clock.isPlaying();
      if (isPlaying && !wasPlaying) setHasLeft(false);
      wasPlaying = isPlaying;
    });
    return () => {
      listening.abort();
      leave();
    };
  }, [list, clock]);

  useEffect(() => {
    if (lit >= 0 && !hasLeft && clock?.isPlaying()) return bringIntoSight(list.current);
  }, [list, clock, lit, hasLeft]);

  return {
    hasLeft: hasLeft && lit >= 0,
    comeBack: () => {
      setHasLeft(false);
      bringIntoSight(list.current);
    },
  };
}

/** Returns a function that stops the scrolling where it is. */
function bringIntoSight(list: HTMLElement | null): (() => void) | undefined {
  const line = list?.querySelector('[aria-current]');
  if (!line) return;
  const scroller = scrollerOf(line);
  const view = scroller === document.documentElement ? null : scroller.getBoundingClientRect();
  const [top, height] = [view?.top ?? 0, view?.height ?? innerHeight];
  const box = line.getBoundingClientRect();
  const isInSight = box.top >= top + height * MARGIN.top && box.bottom <= top + height * (1 - MARGIN.bottom);
  if (isInSight) return;
  // About a third from the top, so that the next lines are in view too.
  return glide(scroller, box.top + box.height / 2 - (top + height * 0.38));
}

function scrollerOf(element: Element): HTMLElement {
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
    const { overflowY } = getComputedStyle(up);
    if ((overflowY === 'auto' || overflowY === 'scroll') && up.scrollHeight > up.clientHeight) return up;
  }
  return document.documentElement;
}

const isSlider = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=slider], [role=radiogroup], textarea, select') !== null;
