import { clsx } from 'clsx';
import { createContext, type ReactElement, use, useRef, useState } from 'react';
import { useIsNearViewport } from './use-is-near-viewport.ts';

/** One, two or three columns, depending on the width. On phones, the single column is as wide as the screen. */
export const MELODY_GRID_CLASSES =
  'grid gap-5 max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-0 sm:grid-cols-2 xl:grid-cols-3';

/** Number of cards per group. Divisible by two and three, so that a group fills whole rows. */
export const CARDS_PER_GROUP = 12;

/**
 * Lays out only the groups near the screen. Doing this per card instead of per group would cost two thousand
 * checks per frame. The browser's search and screen readers still find all cards. The heights are estimates for
 * groups that have not been laid out yet.
 */
const lazyLayoutClasses =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_64.5rem] sm:[contain-intrinsic-block-size:auto_168rem] xl:[contain-intrinsic-block-size:auto_112rem]';

/** Makes space for the cards' shadows, which would otherwise be cut off. */
const shadowRoomClasses = 'sm:-m-4 sm:p-4';

const IsGroupNearContext = createContext(false);

/**
 * Returns whether this card's group has been near the screen. Until then, the card doesn't check its own
 * distance.
 */
export const useIsGroupNearViewport = () => use(IsGroupNearContext);

type CardGroupProps = {
  isFirst: boolean;
  /** Null hides the group but keeps its previous cards mounted, because removing them would be slower. */
  cards: readonly ReactElement[] | null;
};

/** A few rows of the library. For screen readers, all groups form one list. */
export function CardGroup({ isFirst, cards }: CardGroupProps) {
  const [lastCards, setLastCards] = useState<readonly ReactElement[]>([]);
  if (cards && cards !== lastCards) setLastCards(cards);
  const group = useRef<HTMLDivElement>(null);
  const isNear = useIsNearViewport(group, isFirst);
  return (
    <div
      ref={group}
      className={
        cards
          ? clsx(MELODY_GRID_CLASSES, shadowRoomClasses, cards.length >= CARDS_PER_GROUP && lazyLayoutClasses)
          : 'hidden'
      }
    >
      <IsGroupNearContext value={isNear}>{cards ?? lastCards}</IsGroupNearContext>
    </div>
  );
}
