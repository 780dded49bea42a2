import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { type Pages, rowsOf, totalOf } from '../navigation/pages.ts';
import { Button } from './button.tsx';
import { LoadFailure } from './load-failure.tsx';

type LoadMoreProps = {
  pages: Pages<unknown>;
  /** Whose children are the entries. */
  list: RefObject<HTMLElement | null>;
  /** 'Your recordings could not be loaded.' */
  failure: string;
  /** Loads by itself when one comes near; for a list with nothing below it. */
  loadsByItself?: boolean;
  /** What is loaded comes before what is there. */
  growsUpwards?: boolean;
  /** Of the button. */
  id?: string;
  isWide?: boolean;
  className?: string;
};

/** How often the list may be refetched in between. */
const TRIES = 10;

/** Loading begins before one has come to the end. */
const NEAR = '0px 0px 800px 0px';

/** Leads on, below a list that has not been loaded to its end; focus moves to the first new entry. */
export function LoadMore({ pages, list, failure, className, ...how }: LoadMoreProps) {
  const { loadsByItself = false, growsUpwards = false, id, isWide = false } = how;
  const button = useRef<HTMLButtonElement>(null);
  const entry = useAwaitedEntry(list, growsUpwards);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError: hasFailed } = pages;
  const had = data?.pages.length ?? 0;

  async function more(isPressed: boolean) {
    entry.await({ count: list.current?.children.length ?? 0, isPressed });
    // If the list is being refetched, this awaits the refetch instead of the next page, which is then requested again.
    for (let tries = 0; tries < TRIES; tries += 1) {
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
  const left = totalOf(data) - rowsOf(data).length;
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

type Awaited = { count: number; isPressed: boolean };

/** Moves focus to the first entry that comes, unless the user has moved on meanwhile. */
function useAwaitedEntry(list: RefObject<HTMLElement | null>, growsUpwards: boolean) {
  const awaited = useRef<Awaited | null>(null);
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
    await: (next: Awaited) => (awaited.current = next),
    whileFocused: {
      onFocus: () => (hasFocus.current = true),
      onBlur: () => (hasFocus.current = false),
    },
  };
}

/** @param turn calls once for each; null for not at all */
function useWhenNear(button: RefObject<HTMLButtonElement | null>, turn: number | null, onNear: () => void) {
  const near = useEffectEvent(onNear);
  useEffect(() => {
    const element = button.current;
    if (turn === null || !element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // On a busy device several come at once, the newest last. Who has come to the button by keyboard decides by
        // themselves.
        if (!entries.at(-1)?.isIntersecting || document.activeElement === element) return;
        observer.disconnect();
        near();
      },
      // The second is for a list that scrolls by itself, where a browser knows it.
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [button, turn]);
}
