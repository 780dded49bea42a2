import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import { scrollSmoothly } from './scroll-smoothly.ts';

const SCROLL_KEYS = ['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown'];
/** Margin between a line and the edge of the scroll area. */
const EDGE_PX = 8;

/**
 * Keeps the line marked `aria-current` fully in view, even when its scroll area is resized. Stops when the
 * reader scrolls while the melody plays. Resumes when `resume` is called or the melody starts again.
 * @param looks changes whenever the size of the words may have changed
 */
export function useFollowCurrentLine(
  list: RefObject<HTMLElement | null>,
  clock: Pick<PracticeTransport, 'isPlaying' | 'subscribe'> | null,
  lit: number,
  looks: string,
) {
  const [hasLeft, setHasLeft] = useState(false);
  const stopGliding = useRef(() => {});
  const show = useEffectEvent(() => {
    stopGliding.current();
    stopGliding.current = scrollLineIntoView(list.current, clock?.isPlaying() ?? false) ?? (() => {});
  });

  useEffect(() => {
    const element = list.current;
    if (!element || !clock) return;
    const listening = new AbortController();
    const { signal } = listening;
    let wasPlaying = clock.isPlaying();
    const stopFollowing = () => {
      stopGliding.current();
      if (clock.isPlaying()) setHasLeft(true);
    };
    const scroller = getScrollParent(element);
    for (const type of ['wheel', 'touchmove'])
      scroller.addEventListener(type, stopFollowing, { signal, passive: true });
    document.addEventListener(
      'keydown',
      ({ key, target }) => {
        const isAtControl = target instanceof HTMLInputElement || handlesArrowKeys(target);
        if (SCROLL_KEYS.includes(key) && !isAtControl) stopFollowing();
      },
      { signal },
    );
    const leave = clock.subscribe(() => {
      const isPlaying = clock.isPlaying();
      if (isPlaying && !wasPlaying) {
        setHasLeft(false);
        show();
      }
      wasPlaying = isPlaying;
    });
    return () => {
      listening.abort();
      leave();
      stopGliding.current();
    };
  }, [list, clock]);

  useEffect(() => {
    if (lit >= 0 && !hasLeft) show();
  }, [lit, hasLeft, looks]);

  const onResize = useEffectEvent(() => {
    if (lit >= 0 && !hasLeft) show();
  });
  useEffect(() => {
    const element = list.current;
    const scroller = element && getScrollParent(element);
    if (!scroller) return;
    const resized = new ResizeObserver(() => onResize());
    resized.observe(scroller);
    return () => resized.disconnect();
  }, [list]);

  return { hasLeft: hasLeft && lit >= 0, resume: () => setHasLeft(false) };
}

/** Scrolls the current line into view. Returns a function that stops the animation; undefined without one. */
function scrollLineIntoView(list: HTMLElement | null, glides: boolean): (() => void) | undefined {
  const line = list?.querySelector('[aria-current]');
  if (!list || !line) return;
  const scroller = getScrollParent(line);
  const view = scroller === document.documentElement ? null : scroller.getBoundingClientRect();
  const [top, height] = [view?.top ?? 0, view?.height ?? innerHeight];
  const box = line.getBoundingClientRect();
  const lines = [...list.querySelectorAll('li')];
  const before = lines[lines.indexOf(line as HTMLLIElement) - 1]?.getBoundingClientRect();
  const room = Math.max(EDGE_PX, (height - box.height) / 2);
  // Centres the line, unless that would cut off the line before it. In that case, puts the current line at the
  // top, to show more of the lines that follow.
  const above = before && box.top - before.top + EDGE_PX > room ? EDGE_PX : room;
  const by = box.top - top - above;
  if (Math.abs(by) <= 1) return;
  if (glides) return scrollSmoothly(scroller, by);
  scroller.scrollTop += by;
}

function getScrollParent(element: Element): HTMLElement {
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
    const { overflowY } = getComputedStyle(up);
    if (overflowY === 'auto' || overflowY === 'scroll') return up;
  }
  return document.documentElement;
}

const handlesArrowKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('[role=slider], [role=radiogroup], [aria-expanded], textarea, select') !== null;
