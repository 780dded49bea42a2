import { clsx } from 'clsx';
import { createContext, type ReactNode, use, useRef } from 'react';
import { useNear } from './use-near.ts';

/** One, two or three columns, by width; the one of phones, of rows, is as wide as the screen. */
export const melodyGrid =
  'grid gap-5 max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-0 sm:grid-cols-2 xl:grid-cols-3';

/** Fills whole rows of one, two and three. */
export const CARDS_IN_GROUP = 12;

/**
 * Only groups near the screen are laid out; for single cards, that would be two thousand checks per frame. All of them
 * can still be found by search and by screen readers. The heights are those assumed for groups that have not been laid
 * out yet.
 */
const onlyNearTheScreen =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_64.5rem] sm:[contain-intrinsic-block-size:auto_168rem] xl:[contain-intrinsic-block-size:auto_112rem]';

/** Room for the shadows of the cards, which would be cut off. */
const roomAround = 'sm:-m-4 sm:p-4';

const GroupIsNear = createContext(false);

/** Whether it is worth checking how near a card of this group is. */
export const useGroupIsNear = () => use(GroupIsNear);

type CardGroupProps = { isFirst: boolean; count: number; children: ReactNode };

/** Some rows of the library; for screen readers, all groups are one list. */
export function CardGroup({ isFirst, count, children }: CardGroupProps) {
  const group = useRef<HTMLDivElement>(null);
  const isNear = useNear(group, isFirst);
  return (
    <div ref={group} className={clsx(melodyGrid, roomAround, count >= CARDS_IN_GROUP && onlyNearTheScreen)}>
      <GroupIsNear value={isNear}>{children}</GroupIsNear>
    </div>
  );
}
