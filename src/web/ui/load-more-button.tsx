import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { type PagedListResult, getLoadedRows, getTotalCount } from '../navigation/paged-list.ts';
import { Button } from './button.tsx';
import { LoadFailure } from './load-failure.tsx';

type LoadMoreButtonProps = {
  pages: PagedListResult<unknown>;
  /** The element whose children are the entries. */
  list: RefObject<HTMLElement | null>;
  /** For example 'Your recordings could not be loaded.' */
  failure: string;
  /** Loads more when the user scrolls near the button; only for a list with nothing below it. */
  loadsByItself?: boolean;
  /** Whether new entries appear above the existing ones. */
  growsUpwards?: boolean;
  id?: string;
  isWide?: boolean;
  className?: string;
};

/** Maximum number of attempts to load the next page while the list is being refetched. */
const MAX_TRIES = 10;

/** Root margin of the observer, so that loading starts 800 px before the user reaches the end. */
const PRELOAD_MARGIN = '0px 0px 800px 0px';

/** A button that loads more of a list; focus moves to the first new entry. */
export function LoadMoreButton({ pages, list, failure, className, ...how }: LoadMoreButtonProps) {
  const { loadsByItself = false, growsUpwards = false, id, isWide = false } = how;
  const button = useRef<HTMLButtonElement>(null);
  const entry = useAwaitedEntry(list, growsUpwards);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError: hasFailed } = pages;
  const had = data?.pages.length ?? 0;

  async function more(isPressed: boolean) {
    entry.await({ count: list.current?.children.length ?? 0, isPressed });
    // Repeats the call, because while the list is being refetched, `fetchNextPage` only awaits the refetch.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const after = await pages.fetchNextPage({ cancelRefetch: false });
      if (after.isError || !after.data || after.data.pages.length > had) return;
    }
  }

  const isOffered = hasNextPage && !hasFailed;
  useWhenNear(button, loadsByItself && isOffered && !isFetchingNextPage ? had : null, () => void more(false));
  if (hasFailed) {
    return (
      <div className={className}>
        <LoadFailure
          sentence={failure}
          of={{ error: pages.error, isFetching: pages.isFetching, refetch: pages.fetchNextPage }}
        />
      </div>
    );
  }
  if (!isOffered || !data) return null;
  const left = getTotalCount(data) - getLoadedRows(data).length;
  return (
    <Button
      ref={button}
      {...{ id, isWide, className }}
      {...entry.whileFocused}
      busy={isFetchingNextPage}
      onClick={() => void more(true)}
    >
      Load more{left > 0 && ` (${left.toLocaleString('en')} left)`}
    </Button>
  );
}

type AwaitedEntry = { count: number; isPressed: boolean };

/** Moves focus to the first new entry, unless the user has moved focus away from the button. */
function useAwaitedEntry(list: RefObject<HTMLElement | null>, growsUpwards: boolean) {
  const awaited = useRef<AwaitedEntry | null>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    if (!awaited.current) return;
    const { count, isPressed } = awaited.current;
    const entries = list.current?.children ?? [];
    if (entries.length <= count) return;
    awaited.current = null;
    // Focus falls back to the body when the button is removed after the last page.
    const isStillHere =
      document.activeElement === document.body ? isPressed || hasFocus.current : hasFocus.current;
    hasFocus.current = false;
    if (!isStillHere) return;
    const entry = entries[growsUpwards ? 0 : count];
    const target = entry?.querySelector<HTMLElement>('[data-item]') ?? entry;
    if (!(target instanceof HTMLElement)) return;
    if (!target.matches('a, button')) target.setAttribute('tabindex', '-1');
    target.focus({ preventScroll: true });
  });
  return {
    await: (next: AwaitedEntry) => (awaited.current = next),
    whileFocused: {
      onFocus: () => (hasFocus.current = true),
      onBlur: () => (hasFocus.current = false),
    },
  };
}

/**
 * Calls `onNear` when the user scrolls near the button, at most once per value of `turn`.
 * @param turn number of pages loaded so far; null to load nothing
 */
function useWhenNear(button: RefObject<HTMLButtonElement | null>, turn: number | null, onNear: () => void) {
  const near = useEffectEvent(onNear);
  useEffect(() => {
    const element = button.current;
    if (turn === null || !element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // Uses the newest observer entry, which is the last, because several arrive together on a busy device.
        // Ignores a focused button, because users who have reached it by keyboard decide for themselves when to
        // load.
        if (!entries.at(-1)?.isIntersecting || document.activeElement === element) return;
        observer.disconnect();
        near();
      },
      // scrollMargin is for a list with its own scrolling, in browsers that support it.
      { rootMargin: PRELOAD_MARGIN, scrollMargin: PRELOAD_MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [button, turn]);
}
