import { useUser } from '../../../platform/web/session.ts';
import type { Melody } from '../contract.ts';
import { type LibraryOutcome, MissingCard, placeAmong } from './library-outcome.tsx';
import { MelodyCard } from './melody-card.tsx';
import type { TeachersWish } from './teacher-dialogs.tsx';
import { useGrowingCount } from './use-growing-count.ts';
import { useLibraryPlayer } from './use-library-player.ts';

/** One, two or three columns, by width. */
export const melodyGrid = 'grid gap-5 sm:grid-cols-2 xl:grid-cols-3';

/** These may be on the first screen. */
const FIRST_CARDS = 3;

type MelodyGridProps = {
  melodies: readonly Melody[];
  /** Which list this is: another one begins anew. */
  listed: string;
  outcome: LibraryOutcome | null;
  onWish: (to: TeachersWish['to'], melody: Melody) => void;
};

/** The cards, with one sound for all of them. */
export function MelodyGrid({ melodies, listed, outcome, onWish }: MelodyGridProps) {
  const isAdmin = useUser().role === 'admin';
  const { audioRef, playerOf, toggle } = useLibraryPlayer();
  const count = useGrowingCount(melodies.length, FIRST_CARDS, listed);
  const cards = melodies
    .slice(0, count)
    .map((melody, index) => (
      <MelodyCard
        key={melody.id}
        melody={melody}
        player={playerOf(melody)}
        outcome={outcome?.what === 'updated' && outcome.melody.id === melody.id ? outcome : null}
        onPlay={toggle}
        onWish={isAdmin ? onWish : null}
        isFirst={index < FIRST_CARDS}
      />
    ));
  if (outcome?.what === 'deleted') {
    const place = placeAmong(melodies, outcome.melody);
    cards.splice(place, 0, <MissingCard key="missing" as="li" outcome={outcome} />);
  }
  return (
    <>
      <audio ref={audioRef} preload="none" />
      <ul className={melodyGrid}>{cards}</ul>
    </>
  );
}
