import { memo, type ReactElement } from 'react';
import { useUser } from '#web/api/session.ts';
import { useChosenMelodies } from '#features/melodies/favourites/web/use-chosen-melodies.ts';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { CARDS_PER_GROUP, CardGroup } from './card-group.tsx';
import { LazyRemovedCardNotice, findListPosition } from './library-outcome.ts';
import type { LibraryOutcome } from './outcome-notices.tsx';
import { MelodyCard } from './melody-card.tsx';
import type { LibraryAction } from './library-action-dialog.tsx';
import { useIncrementalCount, useMountedGroupCount } from './incremental-rendering.ts';
import { useLibraryPlayer } from './use-library-player.ts';

/** Number of cards rendered first, whose pictures load with priority. They fill a row on wide screens. */
const FIRST_CARDS = 3;

type MelodyGridProps = {
  melodies: readonly ListedMelody[];
  /** Key of the list. When it changes, rendering starts over from the first cards. */
  listed: string;
  outcome: LibraryOutcome | null;
  onAction: (to: LibraryAction['kind'], melody: ListedMelody) => void;
};

/**
 * Grid of cards that share one audio element. Memoized, because up to two thousand cards must not re-render
 * while the user types.
 */
export const MelodyGrid = memo(function MelodyGrid({ melodies, listed, outcome, onAction }: MelodyGridProps) {
  const isAdmin = useUser().role === 'admin';
  const { audioRef, getCardPlayer, toggle } = useLibraryPlayer();
  const { canChoose, favourites, today } = useChosenMelodies();
  const count = useIncrementalCount(melodies, FIRST_CARDS, listed);
  const groups: ReactElement[][] = [];
  const addCard = (card: ReactElement, place: number) =>
    (groups[Math.floor(place / CARDS_PER_GROUP)] ??= []).push(card);
  const missingAt = outcome?.kind === 'deleted' ? findListPosition(melodies, outcome.melody) : -1;
  for (const [index, melody] of melodies.slice(0, count).entries()) {
    if (index === missingAt)
      addCard(<LazyBoundary part={LazyRemovedCardNotice} key="missing" outcome={outcome!} isListed />, index);
    addCard(
      <MelodyCard
        key={melody.id}
        melody={melody}
        player={getCardPlayer(melody)}
        outcome={outcome?.kind === 'updated' && outcome.melody.id === melody.id ? outcome : null}
        onPlay={toggle}
        onAction={isAdmin ? onAction : null}
        isFirst={index < FIRST_CARDS}
        isFavourite={canChoose ? favourites.has(melody.id) : null}
        isToday={today.has(melody.id)}
      />,
      index,
    );
  }
  if (missingAt >= count)
    addCard(
      <LazyBoundary part={LazyRemovedCardNotice} key="missing" outcome={outcome!} isListed />,
      count - 1,
    );
  const groupCount = useMountedGroupCount(groups.length);
  return (
    <>
      <audio ref={audioRef} preload="none" />
      <div
        role="list"
        className="grid grid-cols-[minmax(0,1fr)] max-sm:-mx-4 max-sm:border-t max-sm:border-line sm:gap-5"
      >
        {Array.from({ length: groupCount }, (_, index) => (
          <CardGroup key={index} isFirst={index === 0} cards={groups[index] ?? null} />
        ))}
      </div>
    </>
  );
});
