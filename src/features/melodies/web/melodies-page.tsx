import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'wouter';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { usePathExists } from '../../../platform/web/existing-paths.ts';
import { useUser } from '../../../platform/web/session.ts';
import { Announce } from '../../../platform/web/ui/announce.tsx';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';
import { EmptyState } from '../../../platform/web/ui/empty-state.tsx';
import { PageHeading } from '../../../platform/web/ui/page-heading.tsx';
import { Skeleton, SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import type { Level } from '../../levels/contract.ts';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import type { Melody } from '../contract.ts';
import { LevelFilter } from './level-filter.tsx';
import { MelodyCard } from './melody-card.tsx';
import { PlayerPlace } from './player/player-place.tsx';
import { useLibraryPlayer } from './use-library-player.ts';

const grid = 'grid gap-5 sm:grid-cols-2 xl:grid-cols-3';
/** These may be on the first screen. */
const FIRST_CARDS = 3;

export default function MelodiesPage() {
  const melodies = useQuery(apiQuery('GET /api/melodies'));
  const levels = useQuery(apiQuery('GET /api/user/transmission-levels'));
  const [level, setLevel] = useChosenLevel(levels.data ?? []);
  const failed = [melodies, levels].find((query) => query.isError);
  return (
    <>
      <PageHeading title="Sacred Melodies" aside={<AddMelodyLink>Add New Melody</AddMelodyLink>} />
      {failed ? (
        <LoadFailure
          sentence="The melodies could not be loaded."
          error={failed.error}
          isTrying={melodies.isFetching || levels.isFetching}
          onTryAgain={() => void Promise.all([melodies.refetch(), levels.refetch()])}
        />
      ) : melodies.data && levels.data ? (
        <>
          <LevelFilter levels={levels.data} value={level} onChange={setLevel} />
          <Library melodies={ofLevel(melodies.data, level)} isFiltered={level !== null} />
        </>
      ) : (
        <>
          <Skeleton className="mb-6 h-11 w-full max-w-md rounded-full" />
          <SkeletonList count={6} className={grid} itemClassName="h-88" />
        </>
      )}
      <PlayerPlace melodies={melodies.data} />
    </>
  );
}

function Library({ melodies, isFiltered }: { melodies: readonly Melody[]; isFiltered: boolean }) {
  const { audioRef, playerOf } = useLibraryPlayer();
  // The cards below the first screen are made when that has been painted.
  const shown = useDeferredValue(melodies, melodies.slice(0, FIRST_CARDS));
  return (
    <>
      <audio ref={audioRef} preload="none" />
      <Announce text={`${melodies.length} ${melodies.length === 1 ? 'melody' : 'melodies'}`} />
      {melodies.length === 0 ? (
        <NoMelodies isFiltered={isFiltered} />
      ) : (
        <ul className={grid}>
          {shown.map((melody, index) => (
            <MelodyCard
              key={melody.id}
              melody={melody}
              player={playerOf(melody)}
              isFirst={index < FIRST_CARDS}
            />
          ))}
        </ul>
      )}
    </>
  );
}

const NoMelodies = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState
    title="No Melodies Yet"
    action={<AddMelodyLink>{isFiltered ? 'Add New Melody' : 'Add First Melody'}</AddMelodyLink>}
  >
    {isFiltered
      ? 'There are no melodies for this transmission level yet.'
      : 'No melodies have been added yet. They will be here as soon as there are some.'}
  </EmptyState>
);

function AddMelodyLink({ children }: { children: string }) {
  const isAdmin = useUser().role === 'admin';
  const exists = usePathExists('/admin/add-melody');
  if (!isAdmin || !exists) return null;
  return (
    <ButtonLink href="/admin/add-melody" icon={<Plus aria-hidden="true" />}>
      {children}
    </ButtonLink>
  );
}

/** In the address, so that the way back leads to what was shown. */
function useChosenLevel(levels: readonly Level[]) {
  const [search, setSearch] = useSearchParams();
  const chosen = levels.find(({ id }) => String(id) === search.get('level'))?.id ?? null;
  const choose = (id: number | null) => setSearch(id === null ? {} : { level: String(id) });
  return [chosen, choose] as const;
}

const ofLevel = (melodies: readonly Melody[], level: number | null) =>
  level === null ? melodies : melodies.filter(({ transmissionLevelId }) => transmissionLevelId === level);
